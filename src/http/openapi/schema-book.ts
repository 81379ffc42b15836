import { z } from "zod";
import { describedAs, variantsOf } from "../../wire/variants.ts";

export type JsonSchema = { [key: string]: unknown };

/** Collects the named schemas of a document as components, so that each is defined once. */
export class SchemaBook {
  readonly schemas: Record<string, JsonSchema> = {};

  /** Returns the JSON Schema of a zod schema; parts with an id become components and references. */
  add(shape: z.ZodType, io: "input" | "output"): JsonSchema {
    // zod emits a reference only for nested schemas, so the schema is wrapped in an object.
    const override: Override = (context) => this.describe(context, io);
    const wrapped = z.toJSONSchema(z.object({ shape }), { io, override, target: "draft-2020-12" });
    for (const [name, schema] of Object.entries(wrapped.$defs ?? {})) {
      const { id: _, ...rest } = pointToComponents(schema) as JsonSchema;
      this.schemas[name] = rest;
    }
    return pointToComponents(wrapped.properties?.shape) as JsonSchema;
  }

  /** An object whose config depends on its type becomes a union of the schemas of the types. */
  private describe({ zodSchema, jsonSchema }: Context, io: "input" | "output"): void {
    tidy(jsonSchema);
    restoreExamples(zodSchema, jsonSchema);
    const other = describedAs(zodSchema as z.ZodType);
    if (other) {
      for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword];
      jsonSchema.$ref = this.add(other, io).$ref;
      return;
    }
    if (zodSchema instanceof z.ZodDiscriminatedUnion) this.describeUnion(zodSchema, jsonSchema, io);
    const variants = variantsOf(zodSchema as z.ZodType);
    if (!variants) return;
    // As input, because stored configs may lack a field that has a default by now.
    const added = [...variants.schemas()].map(
      ([type, schema]) => [type, this.add(schema, "input").$ref] as const,
    );
    for (const keyword of ["type", "properties", "required", "additionalProperties"])
      delete jsonSchema[keyword];
    const component = {
      oneOf: added.map(([, $ref]) => ({ $ref })),
      discriminator: { propertyName: variants.field, mapping: Object.fromEntries(added) },
    };
    // A discriminator needs a constant in every member, which any other value is not.
    if (variants.other) jsonSchema.anyOf = [component, this.add(variants.other, "input")];
    else Object.assign(jsonSchema, component);
  }

  /** Names the field that tells the members of a union apart. */
  private describeUnion(
    { def, options }: z.ZodDiscriminatedUnion,
    jsonSchema: JsonSchema,
    io: "input" | "output",
  ): void {
    const added = options.map((option) => [
      constantOf(option, def.discriminator),
      this.add(option as z.ZodType, io).$ref,
    ]);
    delete jsonSchema.anyOf;
    jsonSchema.oneOf = added.map(([, $ref]) => ({ $ref }));
    jsonSchema.discriminator = { propertyName: def.discriminator, mapping: Object.fromEntries(added) };
  }

  /** Returns the example of a schema, or one composed of the examples of its parts. */
  exampleOf(schema: JsonSchema): unknown {
    if (typeof schema.$ref === "string")
      return this.exampleOf(this.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});
    if (Array.isArray(schema.examples)) return schema.examples[0];
    if ("const" in schema) return schema.const;
    if ("default" in schema) return schema.default;
    if (Array.isArray(schema.enum)) return schema.enum[0];
    const options = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
    if (options?.[0]) return this.exampleOf(options[0]);
    if (schema.type === "array") return [this.exampleOf(schema.items as JsonSchema)];
    if (schema.type === "object") return this.exampleObject(schema);
    if (schema.type === "boolean") return true;
    return schema.type === "integer" || schema.type === "number" ? (schema.minimum ?? 1) : "text";
  }

  private exampleObject(schema: JsonSchema): Record<string, unknown> {
    const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
    return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, this.exampleOf(part)]));
  }
}

/** The constant of a field of a member. */
function constantOf(option: unknown, field: string): string {
  const literal = option instanceof z.ZodObject ? option.shape[field] : undefined;
  return literal instanceof z.ZodLiteral ? String(literal.value) : "";
}

type Context = { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema };
type Override = (context: Context) => void;

/** Removes patterns that repeat the format, and bounds that are the range of safe integers. */
function tidy(jsonSchema: JsonSchema): void {
  if (jsonSchema.format) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/** Zod drops the examples of an input with a transformed part, because they may be outputs. Those of our objects are inputs. */
function restoreExamples(zodSchema: z.core.$ZodType, jsonSchema: JsonSchema): void {
  const { examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (zodSchema instanceof z.ZodObject && Array.isArray(examples)) jsonSchema.examples ??= examples;
}

function pointToComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointToComponents);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      key === "$ref" && typeof part === "string"
        ? part.replace("#/$defs/", "#/components/schemas/")
        : pointToComponents(part),
    ]),
  );
}
