import { resolve } from "node:path";
import { z } from "zod";
import { logFormats } from "../lib/log/log.ts";
import { makeAddressPolicy } from "../lib/outbound/address-policy.ts";

export type Role = (typeof roles)[number];
const roles = ["api", "ingest", "deliver", "jobs"] as const;
const logLevels = ["trace", "debug", "info", "warn", "error", "silent"] as const;

const list = z.string().transform((text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean),
);
const cidrs = list.refine(
  areCidrs,
  "must be addresses or CIDR ranges separated by commas, such as 10.0.0.0/8",
);
const port = z.string().refine(isPort, "must be a whole number from 0 to 65535");
const rolesList = list.refine(areRoles, `must be all, or some of ${roles.join(", ")}, separated by commas`);
const webUrl = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });
/** A base URL, without a trailing slash. */
const baseUrl = webUrl.transform((text) => text.replace(/\/+$/, ""));
/** The id of a price at the payment processor. */
const price = z
  .string()
  .regex(/^\w{3,255}$/, "must be the id of a price, such as price_1Q2w3E4r")
  .optional();

/** One entry per setting: name of the environment variable, shape and default. */
export const settings = z.object({
  PORT: port.default("8080").transform(Number),
  HOST: z.string().default("127.0.0.1"),
  PUBLIC_URL: webUrl.transform((text) => new URL(text)).optional(),
  DATA_DIR: z
    .string()
    .default("./data")
    .transform((folder) => resolve(folder)),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// URL" }).optional(),
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: "must be a redis:// or rediss:// URL" }).optional(),
  ROLES: rolesList.default(["all"]).transform(expandRoles),
  PROCESSES: oneOf(["1", "roles"]).default("roles"),
  LOG_LEVEL: oneOf(logLevels).default("info"),
  LOG_FORMAT: oneOf(logFormats).default("json"),
  SECRETS_KEY: z.string().optional(),
  NEW_SECRETS_KEY: z.string().optional(),
  SIGNUP_MODE: oneOf(["open", "approval", "closed"]).default("open"),
  STAFF_EMAIL: z.email("must be an e-mail address").optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: "must be an smtp:// or smtps:// URL" }).optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]{3,}$/, "must be one line, such as Tocsin <tocsin@example.com>")
    .default("Tocsin <tocsin@localhost>"),
  DEMO: oneOf(["0", "1"]).optional(),
  OUTBOUND_ALLOW: cidrs.default([]),
  TELEGRAM_API_URL: baseUrl.default("https://api.telegram.org"),
  PAGERDUTY_API_URL: baseUrl.default("https://events.pagerduty.com"),
  OPSGENIE_API_URL: baseUrl.default("https://api.opsgenie.com"),
  OPSGENIE_EU_API_URL: baseUrl.default("https://api.eu.opsgenie.com"),
  TWILIO_API_URL: baseUrl.default("https://api.twilio.com"),
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-fA-F]{32}$/, "must be AC and 32 hexadecimal digits")
    .optional(),
  TWILIO_AUTH_TOKEN: z.string().min(16, "must have at least 16 characters").optional(),
  TWILIO_FROM: z
    .string()
    .regex(
      /^(\+[1-9]\d{6,14}|MG[0-9a-fA-F]{32})$/,
      "must be a number such as +15551234567, or a messaging service",
    )
    .optional(),
  SMS_ALLOW: list
    .refine(
      (prefixes) => prefixes.every((prefix) => /^\+[1-9]\d{0,14}$/.test(prefix)),
      "must be prefixes of phone numbers separated by commas, such as +1,+4930",
    )
    .default([]),
  DEFAULT_TIER: oneOf(["free", "pro", "team", "enterprise"]).optional(),
  STRIPE_SECRET_KEY: z.string().min(8, "must have at least 8 characters").optional(),
  STRIPE_API_URL: webUrl
    .transform((text) => new URL(text))
    .refine(
      ({ pathname, search }) => pathname === "/" && !search,
      "must be an http or https URL without a path",
    )
    .default(new URL("https://api.stripe.com")),
  STRIPE_WEBHOOK_SECRET: list
    .refine(
      (secrets) => secrets.length > 0 && secrets.every(isLongEnough),
      "must have at least 16 characters",
    )
    .default([]),
  STRIPE_PRICE_PRO: price,
  STRIPE_PRICE_TEAM: price,
  STRIPE_PRICE_ENTERPRISE: price,
  HELIUS_WEBHOOK_SECRET: z.string().min(16, "must have at least 16 characters").optional(),
  SOLANA_GRPC_URL: baseUrl.optional(),
  SOLANA_GRPC_TOKEN: z.string().min(8, "must have at least 8 characters").optional(),
  SOURCIFY_URL: baseUrl.default("https://sourcify.dev/server"),
  ETHERSCAN_URL: baseUrl.default("https://api.etherscan.io/v2/api"),
  ETHERSCAN_API_KEY: z.string().min(8, "must have at least 8 characters").optional(),
  SIGNATURES_URL: baseUrl.optional(),
  TRUSTED_PROXIES: cidrs.default([]),
  GROUPS_IN_MEMORY: z
    .string()
    .regex(/^[1-9]\d{0,6}$/, "must be a whole number from 1 to 9999999")
    .default("10000")
    .transform(Number),
  METRICS_TOKEN: z.string().min(16, "must have at least 16 characters").optional(),
});

function oneOf<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, { error: `must be one of ${values.join(", ")}` });
}

function isLongEnough(secret: string): boolean {
  return secret.length >= 16;
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65535;
}

function areRoles(names: string[]): boolean {
  return names.length > 0 && names.every((name) => name === "all" || roles.some((role) => role === name));
}

/** Parses the roles of one process, as the supervisor passes them. */
export function parseRoles(text: string): Set<Role> {
  return expandRoles(rolesList.parse(text));
}

function expandRoles(names: readonly string[]): Set<Role> {
  return new Set(roles.filter((role) => names.includes("all") || names.includes(role)));
}

function areCidrs(ranges: string[]): boolean {
  try {
    makeAddressPolicy({ allow: ranges });
    return true;
  } catch {
    return false;
  }
}
