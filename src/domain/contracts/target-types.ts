import { z } from "zod";
import { meters } from "../../meters/index.ts";
import { defaultAggregation, type Meter } from "../../meters/meter.ts";
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
    is_polled: meter.reads !== undefined,
    config_schema,
    example: { target_type: meter.type, config: meter.example ?? {} },
  };
}
