import type { ChainClient, PinnedBlock } from "../../chains/chain-client.ts";
import type { Facts } from "../classify/facts.ts";
import { type Controller, inspectController } from "./controller.ts";
import { findRoles } from "./roles.ts";

/** A privilege on a contract and the account or contract that holds it. */
export type Power = {
  power: "owner" | "pending_owner" | "proxy_admin" | "beacon_owner" | "role" | "signer_group" | "timelock";
  /** The name of the role, or its hash if the name is unknown. */
  role: string | null;
  holder: Controller;
};

type PowerCandidate = { power: Power["power"]; role: string | null; address: string };

const maxControllers = 30;

/** Returns who controls a contract, and a problem for each part that could not be read. */
export async function findPowers(
  client: ChainClient,
  pinned: PinnedBlock,
  facts: Facts,
): Promise<{ powers: Power[]; problems: string[] }> {
  const { address, probes, resolved } = facts;
  const isRoleBased = probes.supports("isAccessControl");
  const roles = isRoleBased
    ? await findRoles(client, pinned, address, probes.supports("isRoleEnumerable"))
    : { members: [], problem: null };
  const beacon = resolved.hops[0]?.beacon;
  const candidates: PowerCandidate[] = [
    ...candidate("owner", probes.address("owner")),
    ...candidate("pending_owner", probes.address("pendingOwner")),
    ...candidate("proxy_admin", resolved.hops[0]?.admin ?? undefined),
    ...candidate("beacon_owner", beacon ?? undefined),
    ...candidate("timelock", probes.address("timelock")),
    ...(probes.addresses("owners").length > 0 ? candidate("signer_group", address) : []),
    ...roles.members.map(({ role, name, account }) => ({
      power: "role" as const,
      role: name ?? role,
      address: account,
    })),
  ];
  const controllers = new Map<string, Controller>();
  for (const account of new Set(candidates.map((each) => each.address))) {
    if (controllers.size < maxControllers) controllers.set(account, await inspectController(pinned, account));
  }
  const powers = candidates.flatMap(({ power, role, address: at }): Power[] => {
    const holder = controllers.get(at);
    return holder ? [{ power, role, holder }] : [];
  });
  return { powers, problems: roles.problem ? [roles.problem] : [] };
}

function candidate(power: Power["power"], address: string | undefined): PowerCandidate[] {
  return address ? [{ power, role: null, address }] : [];
}
