import type { z } from "zod";
import type { Chain } from "../../chains/chain.ts";
import { chainOf } from "../../chains/index.ts";
import { InvalidRequest, type Issue } from "../../errors/app-error.ts";
import { toIssues } from "../../errors/issues.ts";
import { suggestNames } from "../../lib/expression/nearest-name.ts";
import { meterOf, meters } from "../../meters/index.ts";
import { type Meter, unitOn } from "../../meters/meter.ts";
import { findContract } from "../../store/contracts/contracts.ts";
import type { Db } from "../../store/open-store.ts";
import { orgViewer } from "../../store/viewer.ts";
import type { TargetStatusCode } from "../../wire/contracts/status-codes.ts";
import type { TargetCreate } from "../../wire/contracts/targets.ts";
import type { OrgCaller } from "../caller.ts";

/** Finds errors in the config of a new target. `loc` is its location in the request. */
export function targetIssues(input: TargetCreate, loc: (string | number)[]): Issue[] {
  const config = input.config ?? {};
  const parsed = meterOf(input.target_type)?.config.safeParse(config);
  return parsed?.error ? configIssues(parsed.error, config, loc) : [];
}

/** Finds errors in the config of a new target of which other fields may be invalid. */
export function findTargetIssues({ target_type, config }: Partial<TargetCreate>): Issue[] {
  return target_type === undefined ? [] : targetIssues({ target_type, config }, ["body"]);
}

/** Returns the config with defaults. The config of an unknown type is not validated. */
export function readConfig(
  meter: Meter | undefined,
  config: Record<string, unknown>,
  loc: (string | number)[],
): Record<string, unknown> {
  if (!meter) return config;
  const parsed = meter.config.safeParse(config);
  if (parsed.success) return parsed.data;
  throw new InvalidRequest(configIssues(parsed.error, config, loc));
}

function configIssues(error: z.ZodError, config: Record<string, unknown>, loc: (string | number)[]): Issue[] {
  return toIssues(error, "config", config).map((issue) => ({ ...issue, loc: [...loc, ...issue.loc] }));
}

/** Returns the unit of a target and its initial status: `unsupported` with a reason if it cannot be measured. */
export async function supportOf(
  tx: Db,
  caller: OrgCaller,
  contract_id: string,
  { target_type, config }: { target_type: string; config: Record<string, unknown> },
) {
  const contract = await findContract(tx, orgViewer(caller.org_id), contract_id);
  const isWallet = contract?.contract_type === "wallet";
  const chain = contract && chainOf(contract.chain);
  const meter = meterOf(target_type);
  const unit = meter ? (chain ? unitOn(meter, config, chain) : meter.unit) : null;
  return { unit, ...supportOn(chain?.kind, target_type, config, isWallet) };
}

/** Returns the initial status of a target on a chain family. */
export function supportOn(
  kind: Chain["kind"] | undefined,
  target_type: string,
  config: Record<string, unknown>,
  isWallet = false,
) {
  const meter = meterOf(target_type);
  if (!meter) return unsupported("unknown_type", unknownTypeReason(target_type));
  if (kind && !meter.families.includes(kind)) {
    return unsupported("unsupported_chain", `This type does not exist on ${kind} chains.`);
  }
  const problem = meter.configProblem?.(config, kind ?? "evm");
  if (problem) return unsupported("unsupported_config", problem);
  if (isWallet && meter.needsCode && !meter.isForWallet?.(config))
    return unsupported(
      "needs_code",
      `There is no code at this address: a wallet has no ${meter.title.toLowerCase()}.`,
    );
  return { status: "no_data" as const, status_code: null, status_reason: null };
}

/** Explains that a target type does not exist, with the one that is probably meant. */
export function unknownTypeReason(target_type: string): string {
  const types = meters.map(({ type }) => type);
  return `There is no target type ${target_type}; ${suggestNames(target_type, types, "types")}.`;
}

function unsupported(status_code: TargetStatusCode, status_reason: string) {
  return { status: "unsupported" as const, status_code, status_reason };
}
