import { z } from "zod";
import { onFirstUse } from "../lib/caching/on-first-use.ts";

/** The schemas that a body can have, by the value of the field that tells them apart. */
type Variants = {
  field: string;
  schemas(): ReadonlyMap<string, z.ZodType>;
  /** What the object is with any other value, if that is possible. */
  other?: z.ZodType | undefined;
};

/** Objects whose `config` depends on their type. Requests are checked in two steps, and documented as one of several schemas. */
const registry = new WeakMap<z.ZodType, Variants>();

export function variantsOf(schema: z.ZodType): Variants | undefined {
  return registry.get(schema);
}

/** A member of a catalogue with a config of its own. `configId` names its schema if it is not that of requests. */
type Member = { type: string; config: z.ZodType; about?: string; example?: object; configId?: string };

/** `isReply`: the object is always complete. `other`: what it is with any other type. */
type Options = { isReply?: true; other?: z.ZodType };

/**
 * Documents an object with an id as a union with one named schema per member of a catalogue, such as `TxRateTargetCreate`. What
 * the object accepts stays the same: the domain checks the config.
 */
export function withVariants<Schema extends z.ZodObject>(
  schema: Schema,
  field: string,
  members: readonly Member[],
  { isReply, other }: Options = {},
): Schema {
  const schemas = onFirstUse(
    () => new Map(members.map((member) => [member.type, variantOf(schema, field, member, isReply)])),
  );
  registry.set(schema, { field, schemas, other });
  return schema;
}

function variantOf(schema: z.ZodObject, field: string, member: Member, isReply?: true): z.ZodType {
  const { type, config, about, example } = member;
  const { id = "" } = schema.meta() ?? {};
  const named = configSchema(member);
  const isRequired = isReply || !isOptional(config);
  const shape = { [field]: z.literal(type), config: isRequired ? named : named.optional() };
  return schema.extend(shape).meta({
    id: `${toName(type)}${id}`,
    ...(about && { description: about }),
    ...(example && !isReply && { examples: [{ [field]: type, config: example }] }),
  });
}

/** The configs of all members as one union, for a request that does not repeat the type. */
export function anyConfigOf(members: readonly Member[]): z.ZodType {
  return z.union(members.map(configSchema));
}

/** One named schema per config, to which all objects with it refer. */
function configSchema({ type, config, configId = "Config" }: Member): z.ZodType {
  const named = configs.get(config) ?? config.meta({ id: `${toName(type)}${configId}` });
  configs.set(config, named);
  return named;
}

const configs = new Map<z.ZodType, z.ZodType>();

/** True if the type works without a config. */
function isOptional(config: z.ZodType): boolean {
  return config.safeParse({}).success;
}

/** `tx_rate` becomes `TxRate`. */
function toName(type: string): string {
  return type.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Schemas that are described as another one, because they accept more than they should, to report it in their own way. */
const described = new WeakMap<z.ZodType, z.ZodType>();

export function describedAs(schema: z.ZodType): z.ZodType | undefined {
  return described.get(schema);
}

/** Documents a schema as another one with an id. */
export function describeAs<Schema extends z.ZodType>(schema: Schema, as: z.ZodType): Schema {
  described.set(schema, as);
  return schema;
}
