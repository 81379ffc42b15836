import { expect, test } from "vitest";
import { etherscanError, etherscanFound, sourcifyFound, sourcifyNotFound } from "./service-stubs.ts";
import { etherscanKey, makeInspectionWorld } from "./world.ts";

const world = await makeInspectionWorld();
const { node, inspect, sourcify, etherscan, signatures } = world;

test("the ABI comes from Sourcify, then from Etherscan, and for a proxy from its implementation", async () => {
  const box = await node.deploy("BoxV1");
  const proxy = await node.deploy("ERC1967Proxy", box.address, box.encode("store", [1n]));
  sourcify.respond = (url) =>
    url.pathname === `/v2/contract/31337/${box.address}` ? sourcifyFound(box.abi, "BoxV1") : sourcifyNotFound;
  expect(await inspect(proxy.address)).toMatchObject({
    abi_source: "registry",
    is_verified: true,
    name: "BoxV1",
    sources: [{ source: "sourcify", status: "found", detail: null }],
  });
  const desk = await node.deploy("Desk");
  etherscan.respond = ({ searchParams }) =>
    searchParams.get("address") === desk.address
      ? etherscanFound(desk.abi, "Desk")
      : etherscanError("Contract source code not verified");
  const found = await inspect(desk.address);
  expect(found).toMatchObject({ abi_source: "registry", name: "Desk" });
  expect(found.sources.map(({ source, status }) => `${source} ${status}`)).toEqual([
    "sourcify not_found",
    "etherscan found",
  ]);
  expect(found.abi.map(({ name }) => name)).toContain("Placed");
  expect(etherscan.requests.at(-1)?.searchParams.get("chainid")).toBe("31337");
});

test.each([
  ["the source is down", { status: 502, body: "<html>" }, "unavailable"],
  ["the source limits the request rate", { status: 429, body: {} }, "rate_limited"],
  ["the source does not return JSON", { body: "<html>" }, "invalid"],
  [
    "the source returns an invalid ABI",
    { body: { match: "match", abi: [{ type: "function", name: "not a name" }] } },
    "invalid",
  ],
  ["the source returns another format", { body: { match: 7 } }, "invalid"],
] as const)("an inspection reports the source and succeeds if %s", async (_what, answer, status) => {
  const { address } = await node.deploy("Desk");
  sourcify.respond = () => answer;
  etherscan.respond = () =>
    etherscanError(`Max rate limit reached, please use API Key ${etherscanKey} for higher rate limit`);
  const found = await inspect(address);
  expect(found.sources.map((source) => `${source.source} ${source.status}`)).toEqual([
    `sourcify ${status}`,
    "etherscan rate_limited",
    "signatures not_found",
    "bytecode found",
  ]);
  expect(found.is_verified).toBeNull();
  expect(JSON.stringify(found)).not.toContain(etherscanKey);
  const requestCount = sourcify.requests.length;
  await inspect(address);
  expect(sourcify.requests).toHaveLength(requestCount);
});

test("a source that does not reply is reported as unavailable after a timeout", async () => {
  const { address } = await node.deploy("Desk");
  sourcify.respond = () => "hang";
  const found = await inspect(address);
  expect(found.sources[0]).toMatchObject({ source: "sourcify", status: "unavailable" });
});

test("names from the signature service are used if they match the selector", async () => {
  sourcify.respond = () => sourcifyNotFound;
  const right = "place(uint256,string,(address,int256,string),bytes32[])";
  signatures.respond = ({ searchParams }) => {
    const selectors = searchParams.get("function")?.split(",") ?? [];
    const candidates = selectors.map((selector) => [
      selector,
      [
        { name: "lie(uint256)", filtered: false },
        { name: right, filtered: false },
      ],
    ]);
    return { body: { ok: true, result: { function: Object.fromEntries(candidates), event: {} } } };
  };
  const { address } = await node.deploy("Desk");
  // Unknown selectors are cached for two minutes.
  world.h.clock.advance(121);
  const names = (await inspect(address)).abi.map(({ name }) => name);
  expect(names).toContain("place");
  expect(names).not.toContain("lie");
});
