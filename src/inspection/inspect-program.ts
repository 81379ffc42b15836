import { type Address, isOffCurveAddress } from "@solana/kit";
import type { PinnedBlock } from "../chains/chain-client.ts";
import { type AccountState, unpackAccount } from "../chains/solana/accounts/account-state.ts";
import { addressOfBytes, token2022Program, tokenProgram } from "../chains/solana/accounts/address.ts";
import { type ProgramAccount, readProgramAccount } from "../chains/solana/accounts/program-account.ts";
import { findIdl, type IdlSource, idlReads } from "../chains/solana/idl/on-chain-idl.ts";
import type { SuggestedTarget } from "./classify/suggest-targets.ts";
import type { Controller } from "./control/controller.ts";
import type { Finding } from "./control/findings.ts";

/** What a mint says of its token. */
type Mint = {
  supply: bigint;
  decimals: number;
  mint_authority: string | null;
  freeze_authority: string | null;
};

/** What stands at an address on Solana: a program, the mint of a token, or an account of another kind. */
export type ProgramFacts = {
  program: ProgramAccount;
  mint: Mint | undefined;
  /** As it is on chain, if it can be used. */
  idl: Record<string, unknown> | undefined;
  /** Where an IDL was looked for; empty where there is no program. */
  sources: IdlSource[];
};

type ProgramPower = {
  power: "upgrade_authority" | "mint_authority" | "freeze_authority";
  role: null;
  holder: Controller;
};

/** Rejects with a ChainError when the chain cannot be read. */
export async function inspectProgram(pinned: PinnedBlock, address: string): Promise<ProgramFacts> {
  const program = await readProgramAccount(pinned.read, address);
  const [account, ...idlResults] = await pinned.read([
    { kind: "account", address, length: 82 },
    ...(program.executable ? idlReads(address) : []),
  ]);
  const { idl, sources } = findIdl(idlResults, address);
  return {
    program,
    mint: readMint(unpackAccount(account)),
    idl,
    sources: program.executable ? sources : [],
  };
}

function readMint(account: AccountState | undefined): Mint | undefined {
  const isToken = account?.owner === tokenProgram || account?.owner === token2022Program;
  if (!account || !isToken || account.data.length < 82 || account.data[45] !== 1) return undefined;
  const { data } = account;
  const authorityAt = (at: number) =>
    data.readUInt32LE(at) === 1 ? addressOfBytes(data.subarray(at + 4, at + 36)) : null;
  return {
    supply: data.readBigUInt64LE(36),
    decimals: data[44] ?? 0,
    mint_authority: authorityAt(0),
    freeze_authority: authorityAt(46),
  };
}

/** What it is, and why that is thought. */
export function classifyProgram({ program, mint }: ProgramFacts) {
  if (program.executable)
    return { contract_type: "program", category: "other" as const, reason: "The account is executable." };
  if (mint)
    return {
      contract_type: "unknown",
      category: "token" as const,
      reason: "The account is the mint of a token, which no type of EVM contract fits.",
    };
  const reason = program.exists ? "It is an account that no program runs from." : "There is no account here.";
  return { contract_type: "unknown", category: "other" as const, reason };
}

/** Who has a power over the program or the token. Programs act through addresses that have no key. */
export function powersOf({ program, mint }: ProgramFacts): ProgramPower[] {
  const authorities: [ProgramPower["power"], string | null | undefined][] = [
    ["upgrade_authority", program.authority],
    ["mint_authority", mint?.mint_authority],
    ["freeze_authority", mint?.freeze_authority],
  ];
  return authorities.flatMap(([power, address]) =>
    address ? [{ power, role: null, holder: controllerOf(address) }] : [],
  );
}

function controllerOf(address: string): Controller {
  return isOffCurveAddress(address as Address)
    ? { kind: "contract", address, owner: null }
    : { kind: "eoa", address };
}

const upgradeTarget: SuggestedTarget = {
  target_type: "solana_program_upgrade",
  config: {},
  reason: "Watch the code for being replaced.",
};
const authorityChanges: SuggestedTarget = {
  target_type: "solana_authority_change",
  config: {},
  reason: "Watch who may change it.",
};

export function suggestForProgram(facts: ProgramFacts): SuggestedTarget[] {
  const { program, mint } = facts;
  const traffic = [{ target_type: "tx_rate", config: {}, reason: "Watch how much is going on." }];
  if (mint) {
    return [
      { target_type: "token_supply", config: {}, reason: "Watch the supply for tokens made or destroyed." },
      ...(powersOf(facts).length > 0 ? [authorityChanges] : []),
      ...traffic,
    ];
  }
  if (program.authority) return [upgradeTarget, authorityChanges, ...traffic];
  const failures = { target_type: "revert_rate", config: {}, reason: "Watch how many transactions fail." };
  return program.executable
    ? [failures, ...traffic]
    : [{ target_type: "native_balance", config: {}, reason: "Watch what it holds." }, ...traffic];
}

/** What somebody should know, and what would watch it. */
export function findingsOf(facts: ProgramFacts): Finding[] {
  return powersOf(facts).map(({ power, holder }) => {
    const isKey = holder.kind === "eoa";
    const who = isKey ? "A single key" : "Another program";
    const target = power === "upgrade_authority" ? upgradeTarget : authorityChanges;
    const { severity, does, detail } = authorityTexts[power];
    return {
      id: power,
      severity: isKey ? severity : "warning",
      title: `${who} ${does}`,
      detail: `${holder.address} ${detail}`,
      target: { target_type: target.target_type, config: {} },
    };
  });
}

const authorityTexts = {
  upgrade_authority: {
    severity: "critical" as const,
    does: "can replace the code",
    detail: "is the upgrade authority of the program.",
  },
  mint_authority: {
    severity: "warning" as const,
    does: "can make more of the token",
    detail: "is the mint authority.",
  },
  freeze_authority: {
    severity: "warning" as const,
    does: "can freeze accounts of the token",
    detail: "is the freeze authority.",
  },
};
