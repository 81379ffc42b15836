import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { z } from "zod";
import { parseRpc, parseRpcLimits, type RpcLimits } from "./config/rpc.ts";
import { OperatorError } from "./lib/operator-error.ts";
import { makeAddressPolicy } from "./lib/outbound/address-policy.ts";

/** The validated settings of the operator. No other module reads the environment. */
export type Config = {
  version: string;
  port: number;
  host: string;
  publicUrl: URL | undefined;
  dataDir: string;
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  roles: Set<Role>;
  /** All roles run in one process; otherwise a supervisor runs them as several. */
  isSingleProcess: boolean;
  logLevel: string;
  secretsKey: string | undefined;
  /** The key that `tocsin secrets rotate` changes to. */
  newSecretsKey: string | undefined;
  signupMode: "open" | "approval" | "closed";
  staffEmail: string | undefined;
  smtpUrl: string | undefined;
  mailFrom: string;
  /** RPC URLs by chain key; a chain with at least one is enabled. */
  rpc: Map<string, string[]>;
  /** The budgets of calls and the intervals between polls, by chain key. */
  rpcLimits: Map<string, RpcLimits>;
  outboundAllow: string[];
  /** API base URLs of the notification providers. */
  telegramUrl: string;
  pagerdutyUrl: string;
  opsgenieUrl: string;
  opsgenieEuUrl: string;
  twilioUrl: string;
  twilioAccountSid: string | undefined;
  twilioAuthToken: string | undefined;
  twilioFrom: string | undefined;
  /** The prefixes of phone numbers that may get text messages. */
  smsAllow: string[];
  /** The payment processor. Billing is disabled without a secret key. */
  stripe: {
    secretKey: string | undefined;
    url: URL;
    /** Several during a rotation. */
    webhookSecrets: string[];
    prices: Record<PaidTier, string | undefined>;
  };
  heliusWebhookSecret: string | undefined;
  /** Services for verified contract sources and function names. */
  sourcifyUrl: string;
  etherscanUrl: string;
  etherscanApiKey: string | undefined;
  signaturesUrl: string | undefined;
  trustedProxies: string[];
  metricsToken: string | undefined;
};

export type Role = (typeof roles)[number];
export type PaidTier = "pro" | "team" | "enterprise";

/** The version of the API and the service. */
export const version = "0.4.0";

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
const settings = z.object({
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
  SECRETS_KEY: z.string().optional(),
  NEW_SECRETS_KEY: z.string().optional(),
  SIGNUP_MODE: oneOf(["open", "approval", "closed"]).default("open"),
  STAFF_EMAIL: z.email("must be an e-mail address").optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: "must be an smtp:// or smtps:// URL" }).optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]{3,}$/, "must be one line, such as Tocsin <tocsin@example.com>")
    .default("Tocsin <tocsin@localhost>"),
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
  SOURCIFY_URL: baseUrl.default("https://sourcify.dev/server"),
  ETHERSCAN_URL: baseUrl.default("https://api.etherscan.io/v2/api"),
  ETHERSCAN_API_KEY: z.string().min(8, "must have at least 8 characters").optional(),
  SIGNATURES_URL: baseUrl.optional(),
  TRUSTED_PROXIES: cidrs.default([]),
  METRICS_TOKEN: z.string().min(16, "must have at least 16 characters").optional(),
});

/** The names of all settings except `RPC_<CHAIN>`, for the documentation test. */
export const settingNames = Object.keys(settings.shape);

/** Reads the settings from `.env` in the working directory and from the environment, which takes precedence. */
export function loadConfig(): Config {
  const file = existsSync(".env") ? parseEnv(readFileSync(".env", "utf8")) : {};
  return parseConfig({ ...file, ...process.env });
}

/** Reads the secrets that a configuration document references. The service's own settings cannot be referenced. */
export function readSecrets(names: readonly string[]): Record<string, string> {
  const ours = names.find((name) => settingNames.includes(name) || /^(RPC|TOCSIN)_/.test(name));
  if (ours) throw new OperatorError(`${ours} is a setting of Tocsin, which a document cannot reference.`);
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value ? [[name, value]] : [];
    }),
  );
}

/** Validates settings. An invalid one throws an OperatorError that names it. An empty value counts as unset. */
export function parseConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
  const rpc = parseRpc(given);
  const rpcLimits = parseRpcLimits(given);
  rejectUnknownSettings(given);
  const parsed = settings.safeParse(given);
  if (!parsed.success) throw new OperatorError(describe(parsed.error, given));
  const env = parsed.data;
  rejectSharedPrices([env.STRIPE_PRICE_PRO, env.STRIPE_PRICE_TEAM, env.STRIPE_PRICE_ENTERPRISE]);
  return {
    version,
    port: env.PORT,
    host: env.HOST,
    publicUrl: env.PUBLIC_URL,
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL,
    roles: env.ROLES,
    isSingleProcess: env.PROCESSES === "1",
    logLevel: env.LOG_LEVEL,
    secretsKey: env.SECRETS_KEY,
    newSecretsKey: env.NEW_SECRETS_KEY,
    signupMode: env.SIGNUP_MODE,
    staffEmail: env.STAFF_EMAIL,
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    rpc,
    rpcLimits,
    outboundAllow: env.OUTBOUND_ALLOW,
    telegramUrl: env.TELEGRAM_API_URL,
    pagerdutyUrl: env.PAGERDUTY_API_URL,
    opsgenieUrl: env.OPSGENIE_API_URL,
    opsgenieEuUrl: env.OPSGENIE_EU_API_URL,
    twilioUrl: env.TWILIO_API_URL,
    twilioAccountSid: env.TWILIO_ACCOUNT_SID,
    twilioAuthToken: env.TWILIO_AUTH_TOKEN,
    twilioFrom: env.TWILIO_FROM,
    smsAllow: env.SMS_ALLOW,
    stripe: {
      secretKey: env.STRIPE_SECRET_KEY,
      url: env.STRIPE_API_URL,
      webhookSecrets: env.STRIPE_WEBHOOK_SECRET,
      prices: {
        pro: env.STRIPE_PRICE_PRO,
        team: env.STRIPE_PRICE_TEAM,
        enterprise: env.STRIPE_PRICE_ENTERPRISE,
      },
    },
    heliusWebhookSecret: env.HELIUS_WEBHOOK_SECRET,
    sourcifyUrl: env.SOURCIFY_URL,
    etherscanUrl: env.ETHERSCAN_URL,
    etherscanApiKey: env.ETHERSCAN_API_KEY,
    signaturesUrl: env.SIGNATURES_URL,
    trustedProxies: env.TRUSTED_PROXIES,
    metricsToken: env.METRICS_TOKEN,
  };
}

/** The prefix `TOCSIN_` is reserved, so an unknown name with it is a typing error. */
function rejectUnknownSettings(given: Record<string, string | undefined>): void {
  const unknown = Object.keys(given).find((name) => name.startsWith("TOCSIN_"));
  if (unknown) throw new OperatorError(`${unknown} is not a setting of Tocsin. Settings have no prefix.`);
}

/** A price identifies the purchased tier, so each tier needs its own price. */
function rejectSharedPrices(prices: (string | undefined)[]): void {
  const set = prices.filter((one) => one !== undefined);
  if (new Set(set).size === set.length) return;
  throw new OperatorError("STRIPE_PRICE_PRO, STRIPE_PRICE_TEAM and STRIPE_PRICE_ENTERPRISE must differ.");
}

function describe(error: z.ZodError, given: Record<string, string | undefined>): string {
  return error.issues
    .map((issue) => {
      const name = String(issue.path[0]);
      const shown = isSecret(name) ? "" : ` (it is ${JSON.stringify(given[name])})`;
      return `${name} ${issue.message}${shown}.`;
    })
    .join(" ");
}

function isSecret(name: string): boolean {
  return /KEY|TOKEN|SECRET|URL/.test(name);
}

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
