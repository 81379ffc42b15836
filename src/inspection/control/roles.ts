import type { ChainClient, PinnedBlock } from "../../chains/chain-client.ts";
import { getAddress } from "../../chains/evm/values/address.ts";
import { keccakOfText } from "../../chains/evm/values/keccak.ts";
import { ChainError } from "../../chains/reader.ts";
import { readCall } from "../../meters/state-results.ts";
import { addressIn, integerIn, returnedValue } from "../classify/call-results.ts";

/** A member of a role of OpenZeppelin AccessControl. */
export type RoleMember = { role: string; name: string | null; account: string };

const names = [
  "MINTER_ROLE",
  "BURNER_ROLE",
  "PAUSER_ROLE",
  "UPGRADER_ROLE",
  "ADMIN_ROLE",
  "OPERATOR_ROLE",
  "GOVERNOR_ROLE",
  "PROPOSER_ROLE",
  "EXECUTOR_ROLE",
  "CANCELLER_ROLE",
  "TIMELOCK_ADMIN_ROLE",
];
const knownRoles = new Map<string, string>([
  [`0x${"0".repeat(64)}`, "DEFAULT_ADMIN_ROLE"],
  ...names.map((name): [string, string] => [keccakOfText(name), name]),
]);
const countFunction = "getRoleMemberCount(bytes32) view returns (uint256)";
const memberFunction = "getRoleMember(bytes32,uint256) view returns (address)";
const hasRole = "hasRole(bytes32,address) view returns (bool)";
const roleGranted = keccakOfText("RoleGranted(bytes32,address,address)");
const maxMembers = 20;
const maxCandidates = 50;

/** Returns the role members: enumerated by the contract, else from RoleGranted logs and verified by hasRole(). */
export async function findRoles(
  client: ChainClient,
  pinned: PinnedBlock,
  address: string,
  isEnumerable: boolean,
): Promise<{ members: RoleMember[]; problem: string | null }> {
  if (isEnumerable) return { members: await enumerateRoles(pinned, address), problem: null };
  const { candidates, problem } = await rolesFromLogs(client, pinned, address);
  const results = await pinned.read(
    candidates.map(({ role, account }) => readCall(address, hasRole, [role, account])),
  );
  return {
    members: candidates.filter((_, index) => returnedValue(results[index], hasRole) === true),
    problem,
  };
}

async function enumerateRoles(pinned: PinnedBlock, address: string): Promise<RoleMember[]> {
  const roles = [...knownRoles];
  const counts = await pinned.read(roles.map(([role]) => readCall(address, countFunction, [role])));
  const memberIndexes = roles.flatMap(([role, name], index) => {
    const count = Number(integerIn(counts[index], countFunction) ?? 0n);
    return Array.from({ length: Math.min(count, maxMembers) }, (_, index) => ({
      role,
      name,
      at: BigInt(index),
    }));
  });
  const memberResults = await pinned.read(
    memberIndexes.map(({ role, at }) => readCall(address, memberFunction, [role, at])),
  );
  return memberIndexes.flatMap(({ role, name }, index) => {
    const account = addressIn(memberResults[index], memberFunction);
    return account ? [{ role, name, account }] : [];
  });
}

async function rolesFromLogs(client: ChainClient, pinned: PinnedBlock, address: string) {
  try {
    const filter = {
      addresses: [address],
      topics: [roleGranted],
      from: 0,
      to: pinned.block.height,
      maxRequests: 4,
    };
    const { logs, searched_from, is_complete } = await client.logs(filter);
    const members = logs.flatMap(({ topics: [, role, account] }): RoleMember[] =>
      role && account
        ? [{ role, name: knownRoles.get(role) ?? null, account: getAddress(`0x${account.slice(-40)}`) }]
        : [],
    );
    const candidates = [
      ...new Map(members.map((member) => [`${member.role} ${member.account}`, member])).values(),
    ].slice(0, maxCandidates);
    return {
      candidates,
      problem: is_complete ? null : `Roles granted before block ${searched_from} may be missing.`,
    };
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    return { candidates: [], problem: "The role members could not be read: the endpoints provided no logs." };
  }
}
