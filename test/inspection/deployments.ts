import { getContractAddress, type Hex } from "viem";
import type { startNode } from "../chain/node.ts";

type Node = Awaited<ReturnType<typeof startNode>>;

/** Deploys a Safe with these owners. */
export async function deploySafe(node: Node, owners: Hex[], threshold: bigint) {
  const singleton = await node.deploy("Multisig");
  return node.deploy("MultisigProxy", singleton.address, singleton.encode("setup", [owners, threshold]));
}

/** Deploys a transparent proxy and the ProxyAdmin that `owner` owns. */
export async function deployProxy(node: Node, owner: Hex) {
  const box = await node.deploy("BoxV1");
  const proxy = await node.deploy(
    "TransparentUpgradeableProxy",
    box.address,
    owner,
    box.encode("store", [1n]),
  );
  const adminAddress = getContractAddress({ from: proxy.address, nonce: 1n });
  return { box, proxy, admin: node.at(adminAddress, node.artifact("ProxyAdmin").abi) };
}
