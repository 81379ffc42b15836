import { z } from "zod";
import type { AnyChannelType } from "../../channels/channel.ts";
import { channels } from "../../channels/index.ts";
import type { ChannelTypeInfo } from "../../wire/channels/channel-types.ts";

/** Lists every channel type, in the order of the catalogue. The list does not change while the service runs. */
export function listChannelTypes(): ChannelTypeInfo[] {
  types ??= channels.map(toInfo);
  return types;
}

let types: ChannelTypeInfo[] | undefined;

function toInfo({ type, title, config, secrets }: AnyChannelType): ChannelTypeInfo {
  const { $schema: _, ...schema } = z.toJSONSchema(config, { io: "input", unrepresentable: "any" });
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    name,
    secrets.includes(name) && typeof field === "object" ? { ...field, writeOnly: true } : field,
  ]);
  return { type, title, config_schema: { ...schema, properties: Object.fromEntries(fields) } };
}
