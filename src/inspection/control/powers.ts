import type { ChainClient, PinnedBlock } from "../../chains/chain-client.ts";
import type { Facts } from "../classify/facts.ts";
import { type Holder, inspectHolder } from "./holder.ts";
import { findRoles } from "./roles.ts";

/** Somebody who can change a contract, and by what right. */
export type Power = {
  power: "owner" | "pending_owner" | "proxy_admin" | "beacon_owner" | "role" | "signer_group" | "timelock";
  /** The role's name, or its hash where nobody knows a name. */
  role: string | null;
  holder: Holder;
};

type Claim = { power: Power["power"]; role: string | null; address: string };

const maxHolders = 30;

/** Everybody who can change a contract, as far as it can be read; what could not be read is said. */
export async function findPowers(
  client: ChainClient,
  moment: PinnedBlock,
  facts: Facts,
): Promise<{ powers: Power[]; problems: string[] }> {
  const { address, answers, resolved } = facts;
  const isRoleBased = answers.supports("isAccessControl");
  const roles = isRoleBased
    ? await findRoles(client, moment, address, answers.supports("isRoleEnumerable"))
    : { holdings: [], problem: null };
  const beacon = resolved.hops[0]?.beacon;
  const claims: Claim[] = [
    ...claim("owner", answers.address("owner")),
    ...claim("pending_owner", answers.address("pendingOwner")),
    ...claim("proxy_admin", resolved.hops[0]?.admin ?? undefined),
    ...claim("beacon_owner", beacon ?? undefined),
    ...claim("timelock", answers.address("timelock")),
    ...(answers.addresses("owners").length > 0 ? claim("signer_group", address) : []),
    ...roles.holdings.map(({ role, name, account }) => ({
      power: "role" as const,
      role: name ?? role,
      address: account,
    })),
  ];
  const holders = new Map<string, Holder>();
  for (const one of new Set(claims.map((each) => each.address))) {
    if (holders.size < maxHolders) holders.set(one, await inspectHolder(moment, one));
  }
  const powers = claims.flatMap(({ power, role, address: at }): Power[] => {
    const holder = holders.get(at);
    return holder ? [{ power, role, holder }] : [];
  });
  return { powers, problems: roles.problem ? [roles.problem] : [] };
}

function claim(power: Power["power"], address: string | undefined): Claim[] {
  return address ? [{ power, role: null, address }] : [];
}
