import { z } from "zod";
import { channels } from "../../channels/index.ts";

type Kind = (typeof channels)[number];

const mask = "••••";

export const SecretName = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_]{0,199}$/,
    "must consist of letters, digits and _, and must not begin with a digit",
  )
  .meta({ examples: ["CHANNEL_ON_CALL_WEBHOOK_URL"] });

const SecretRef = z
  .strictObject({ $secret: SecretName })
  .meta({ id: "SecretRef", description: "The secret with this name under `secrets`." });

/** Channel types with their config as replies show it: with masked secrets. */
export const shownChannels = channels.map((kind) => ({
  type: kind.type,
  config: withSecrets(kind, masked),
  configId: "ShownConfig",
}));

/** Channel types with their config as a configuration has it: with references to secrets, or without them. */
export const documentChannels = channels.map((kind) => ({
  type: kind.type,
  config: withSecrets(kind, (field) => z.union([field, SecretRef]).optional()),
  configId: "DocumentConfig",
}));

function masked(field: z.ZodType): z.ZodType {
  const isOptional = field.safeParse(undefined).success;
  const isObject = field.safeParse({}).success;
  const shown = isObject
    ? z.record(z.string(), z.string()).meta({ description: "Masked.", examples: [{ Authorization: mask }] })
    : z.string().meta({ description: "Masked.", examples: [mask] });
  return isOptional ? shown.optional() : shown;
}

/** Replaces the schemas of the secret fields of a config. */
function withSecrets({ config, secrets }: Kind, replace: (field: z.ZodType) => z.ZodType): z.ZodType {
  if (!(config instanceof z.ZodObject)) return config;
  const shape = config.shape as Record<string, z.ZodType>;
  const replaced = secrets.flatMap((name) => (shape[name] ? [[name, replace(shape[name])]] : []));
  return z.strictObject({ ...shape, ...Object.fromEntries(replaced) });
}
