import { type Address, isOffCurveAddress } from "@solana/kit";
import type { PinnedBlock } from "../chains/chain-client.ts";
import { type AccountState, unpackAccount } from "../chains/solana/accounts/account-state.ts";
import { addressOfBytes, token2022Program, tokenProgram } from "../chains/solana/accounts/address.ts";
import { type ProgramAccount, readProgramAccount } from "../chains/solana/accounts/program-account.ts";
import { findIdlTask, type IdlSource, idlReads } from "../chains/solana/idl/on-chain-idl.ts";
import type { Offload } from "../lib/concurrency/worker-pool.ts";
import type { Controller } from "./control/controller.ts";
import type { Finding } from "./control/findings.ts";
import type { SuggestedTarget } from "./suggest/suggested-target.ts";

type Mint = {
  supply: bigint;
  decimals: number;
  mint_authority: string | null;
  freeze_authority: string | null;
};

/** The facts of a Solana address: a program, a token mint or another account. */
export type ProgramFacts = {
  program: ProgramAccount;
  mint: Mint | undefined;
  /** The IDL on chain, if it is valid. */
  idl: Record<string, unknown> | undefined;
  /** The places that were searched for an IDL; empty if the account is not a program. */
  sources: IdlSource[];
};

type ProgramPower = {
  power: "upgrade_authority" | "mint_authority" | "freeze_authority";
  role: null;
  holder: Controller;
};

/** Collects the facts of a Solana address. Rejects with a ChainError if the chain cannot be read. */
export async function inspectProgram(
  pinned: PinnedBlock,
  offload: Offload,
  address: string,
): Promise<ProgramFacts> {
  const program = await readProgramAccount(pinned.read, address);
  const [account, ...idlResults] = await pinned.read([
    { kind: "account", address, length: 82 },
    ...(program.executable ? idlReads(address) : []),
  ]);
  const { idl, sources } = await offload(findIdlTask, { results: idlResults, program: address });
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

/** Classifies the account, with the reason. */
export function classifyProgram({ program, mint }: ProgramFacts) {
  if (program.executable)
    return { contract_type: "program", category: "other" as const, reason: "The account is executable." };
  if (mint)
    return {
      contract_type: "unknown",
      category: "token" as const,
      reason: "The account is a token mint.",
    };
  const reason = program.exists ? "The account is not executable." : "There is no account at this address.";
  return { contract_type: "unknown", category: "other" as const, reason };
}

/** Returns the authorities of the program or token. An address off the curve has no key and belongs to a program. */
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
  reason: "The program is upgradeable: monitor upgrades.",
};
const authorityChanges: SuggestedTarget = {
  target_type: "solana_authority_change",
  config: {},
  reason: "Monitor changes of the authorities.",
};

export function suggestForProgram(facts: ProgramFacts): SuggestedTarget[] {
  const { program, mint } = facts;
  const traffic = [{ target_type: "tx_rate", config: {}, reason: "Monitor the number of transactions." }];
  if (mint) {
    return [
      { target_type: "token_supply", config: {}, reason: "Monitor the total supply for mints and burns." },
      ...(powersOf(facts).length > 0 ? [authorityChanges] : []),
      ...traffic,
    ];
  }
  if (program.authority) return [upgradeTarget, authorityChanges, ...traffic];
  const failures = {
    target_type: "revert_rate",
    config: {},
    reason: "Monitor the share of failed transactions.",
  };
  return program.executable
    ? [failures, ...traffic]
    : [{ target_type: "native_balance", config: {}, reason: "Monitor the native balance." }, ...traffic];
}

/** Returns one finding for each authority, with the target that monitors it. */
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
    does: "can upgrade the program",
    detail: "is the upgrade authority of the program. Monitor upgrades.",
  },
  mint_authority: {
    severity: "warning" as const,
    does: "can mint tokens",
    detail: "is the mint authority of the token. Monitor changes of the authority.",
  },
  freeze_authority: {
    severity: "warning" as const,
    does: "can freeze token accounts",
    detail: "is the freeze authority of the token. Monitor changes of the authority.",
  },
};
