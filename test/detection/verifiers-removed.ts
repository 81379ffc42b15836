import { pad, toHex } from "viem";
import type { Incident } from "./scene.ts";

const eid = 30101;

/**
 * A LayerZero app whose messages one verifier suffices for. It is no incident of the bench: the endpoint is not that of a
 * chain.
 */
export const verifiersRemoved: Incident = {
  name: "Verifiers of a bridge removed",
  covers: [],
  async setUp({ chain, deployer }) {
    const library = await chain.deploy("MessageLibrary");
    const endpoint = await chain.deploy("MessageEndpoint", 40_001, library.address, library.address);
    const app = await chain.deploy("BridgeApp", endpoint.address, deployer);
    const verifiers = (count: number) => ({
      confirmations: 15n,
      requiredDVNCount: count,
      optionalDVNCount: 0,
      optionalDVNThreshold: 0,
      requiredDVNs: Array.from({ length: count }, (_, at) => pad(toHex(0xd001 + at), { size: 20 })),
      optionalDVNs: [],
    });
    await chain.run(
      library.call(deployer, "setDefault", [eid, verifiers(2)]),
      app.call(deployer, "setPeer", [eid, pad("0xbeef", { size: 32 })]),
    );
    const places = { endpoint: endpoint.address, receive_library: library.address };
    return {
      watched: { app: app.address },
      targets: [{ target_type: "bridge_config", config: { eids: [eid], ...places } }],
      attack: [{ at: 0, send: () => [library.call(deployer, "set", [app.address, eid, verifiers(1)])] }],
    };
  },
};
