import { describe, expect, test } from "vitest";
import { channels } from "../../src/channels/index.ts";
import { makeDocument } from "../../src/http/openapi/document.ts";
import { meterOf, meters } from "../../src/meters/index.ts";

describe("the OpenAPI document describes a body whose config depends on its type as a union", () => {
  const { schemas } = makeDocument({ publicUrl: undefined }).components as {
    schemas: Record<string, Record<string, unknown>>;
  };
  test.each([
    ["TargetCreate", "target_type", meters],
    ["SelectedTarget", "target_type", meters],
    ["ChannelCreate", "type", channels],
    ["Target", "target_type", meters],
    ["Channel", "type", channels],
    ["ConfigTarget", "target_type", meters],
    ["ConfigChannel", "type", channels],
  ] as const)("%s by %s", (name, propertyName, members) => {
    const { anyOf, ...schema } = schemas[name] as { anyOf?: [object, object] };
    if (name === "Target") expect(anyOf?.[1]).toEqual({ $ref: "#/components/schemas/UnknownTarget" });
    const { oneOf, discriminator } = (anyOf?.[0] ?? schema) as {
      oneOf: { $ref: string }[];
      discriminator: { propertyName: string; mapping: Record<string, string> };
    };
    expect(discriminator.propertyName).toBe(propertyName);
    expect(Object.keys(discriminator.mapping)).toEqual(members.map(({ type }) => type));
    expect(oneOf).toEqual(Object.values(discriminator.mapping).map(($ref) => ({ $ref })));
    for (const [type, ref] of Object.entries(discriminator.mapping)) {
      const { properties } = schemas[ref.split("/").at(-1) ?? ""] as {
        properties: Record<string, { const?: string; $ref?: string }>;
      };
      expect(properties[propertyName]?.const).toBe(type);
      expect(schemas[properties.config?.$ref?.split("/").at(-1) ?? ""]).toMatchObject({ type: "object" });
    }
  });

  test("of stream messages by their event", () => {
    const { oneOf, discriminator } = schemas.StreamMessage as {
      oneOf: { $ref: string }[];
      discriminator: { propertyName: string; mapping: Record<string, string> };
    };
    expect(discriminator.propertyName).toBe("event");
    expect(Object.keys(discriminator.mapping)).toContain("alert.fired");
    expect(oneOf).toEqual(Object.values(discriminator.mapping).map(($ref) => ({ $ref })));
  });

  test("where a config is required exactly if the type does not work without one", () => {
    const requiresConfig = (name: string) =>
      (schemas[name]?.required as string[] | undefined)?.includes("config") ?? false;
    expect(requiresConfig("TokenBalanceTargetCreate")).toBe(true);
    expect(requiresConfig("NativeBalanceTargetCreate")).toBe(false);
  });

  test("with the examples of the target types", () => {
    expect(schemas.TokenBalanceSelectedTarget?.examples).toEqual([
      { target_type: "token_balance", config: meterOf("token_balance")?.example },
    ]);
  });
});
