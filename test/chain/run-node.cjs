// Runs a development node until its input ends, which happens whatever way its parent goes. Says where it listens.
process.env.HARDHAT_CONFIG ??= require.resolve("./hardhat.config.cjs");
process.env.HARDHAT_DISABLE_TELEMETRY_PROMPT = "true";
const { network } = require("hardhat");
const { JsonRpcServer } = require("hardhat/internal/hardhat-network/jsonrpc/server");

process.stdin.resume().on("close", () => process.exit(0));
new JsonRpcServer({ hostname: "127.0.0.1", port: 0, provider: network.provider })
  .listen()
  .then(({ port }) => process.stdout.write(`http://127.0.0.1:${port}\n`));
