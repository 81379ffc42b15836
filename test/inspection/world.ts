import type { Contract } from "../../src/wire/contracts/contracts.ts";
import type { Inspection } from "../../src/wire/inspection/inspection.ts";
import { startNode } from "../chain/node.ts";
import { harness } from "../support/harness.ts";
import { etherscanError, type ServiceStub, sourcifyNotFound, startServiceStub } from "./service-stubs.ts";

export const etherscanKey = "SECRETKEY12345";

/** Starts the service with one user, a real node, and stubs of the external services. */
export async function makeInspectionWorld(more: Record<string, string> = {}) {
  const node = await startNode();
  const sourcify = await startServiceStub(() => sourcifyNotFound);
  const etherscan = await startServiceStub(() => etherscanError("Contract source code not verified"));
  const signatures: ServiceStub = await startServiceStub(() => ({
    body: { ok: true, result: { function: {}, event: {} } },
  }));
  const h = await harness({
    env: {
      RPC_LOCAL: node.url,
      SOURCIFY_URL: sourcify.url,
      ETHERSCAN_URL: `${etherscan.url}/v2/api`,
      ETHERSCAN_API_KEY: etherscanKey,
      SIGNATURES_URL: signatures.url,
      ...more,
    },
  });
  const owner = await h.personOn("enterprise");

  const inspect = async (address: string): Promise<Inspection> => {
    const reply = await owner.client.post("/contracts/inspect", { chain: "local", address });
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.body as Inspection;
  };
  const watch = async (address: string, more: object = {}): Promise<Contract> => {
    const reply = await owner.client.post("/contracts", { chain: "local", address, ...more });
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.body as Contract;
  };
  const get = async <Thing>(path: string): Promise<Thing> => {
    const reply = await owner.client.get(path);
    if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
    return reply.body as Thing;
  };
  return { node, h, owner, sourcify, etherscan, signatures, inspect, watch, get };
}
