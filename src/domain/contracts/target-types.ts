import { z } from "zod";
import { familyOf } from "../../chains/families.ts";
import { chainOf } from "../../chains/index.ts";
import { meters } from "../../meters/index.ts";
import { countedUnits, defaultAggregation, type Meter } from "../../meters/meter.ts";
import type { TargetTypeInfo } from "../../wire/contracts/target-types.ts";

/** Lists every target type, in the order of the catalogue. The list does not change while the service runs. */
export function listTargetTypes(): TargetTypeInfo[] {
  types ??= meters.map(toInfo);
  return types;
}

let types: TargetTypeInfo[] | undefined;

function toInfo(meter: Meter): TargetTypeInfo {
  const { $schema: _, ...config_schema } = z.toJSONSchema(meter.config, {
    io: "input",
    unrepresentable: "any",
  });
  return {
    target_type: meter.type,
    title: meter.title,
    description: meter.about,
    unit: meter.unit,
    families: [...meter.families],
    instances: meter.instances,
    default_aggregation: defaultAggregation(meter, { operator: "gte", threshold: 1 }),
    window_aggregation: meter.aggregation,
    counts_occurrences: countedUnits.has(meter.unit),
    needs_code: meter.needsCode === true,
    is_polled: meter.reads !== undefined,
    needs: [...meter.needs],
    cost: costOf(meter),
    config_schema,
    example: { target_type: meter.type, config: meter.example ?? {} },
  };
}

/** Chains with blocks of 12, 2 and 0.25 seconds. */
const examples = ["ethereum", "base", "arbitrum"];

function costOf({ families, needs, checkSeconds }: Meter): TargetTypeInfo["cost"] {
  const wanted = new Set<string>(needs);
  // State that is only checked now and then costs next to nothing.
  if (checkSeconds) wanted.delete("state");
  const calls = examples.flatMap((key) => {
    const chain = chainOf(key);
    const estimate = chain && families.includes(chain.kind) && familyOf(chain).estimateCalls;
    return estimate ? [[key, estimate(chain, wanted)] as const] : [];
  });
  return { reads: readsText(families, wanted), calls_per_day: Object.fromEntries(calls) };
}

function readsText(families: Meter["families"], needs: ReadonlySet<string>): string {
  if (!families.includes("evm")) return "Transactions and accounts of the address.";
  const blocks = ["receipts", "traces"].filter((need) => needs.has(need)).join(" and ");
  if (blocks) return `Every block of the chain, with its ${blocks}.`;
  if (needs.has("transactions")) return "Every block of the chain, with its transactions and events.";
  const events = "events of the contract, by filtered range queries";
  const state =
    "state of the contract, at the polling interval of the organisation and when it emits an event";
  const parts = [...(needs.has("logs") ? [events] : []), ...(needs.has("state") ? [state] : [])];
  const text = parts.join("; ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
