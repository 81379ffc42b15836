import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import type { z } from "zod";
import { parseRpc, parseRpcLimits, type RpcLimits } from "./config/rpc.ts";
import { type Role, settings } from "./config/settings.ts";
import type { LogFormat } from "./lib/log/log.ts";
import { OperatorError } from "./lib/operator-error.ts";

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
  logFormat: LogFormat;
  secretsKey: string | undefined;
  /** The key that `tocsin secrets rotate` changes to. */
  newSecretsKey: string | undefined;
  signupMode: "open" | "approval" | "closed";
  staffEmail: string | undefined;
  smtpUrl: string | undefined;
  mailFrom: string;
  /** RPC URLs by chain key; a chain with at least one is enabled. */
  rpc: Map<string, string[]>;
  /** The service runs a demo chain beside itself. */
  runsDemo: boolean;
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
  /** The tier of new orgs. Without a payment processor nobody could buy a tier, so it is the highest one. */
  defaultTier: "free" | PaidTier;
  /** The payment processor. Billing is disabled without a secret key. */
  stripe: {
    secretKey: string | undefined;
    url: URL;
    /** Several during a rotation. */
    webhookSecrets: string[];
    prices: Record<PaidTier, string | undefined>;
  };
  heliusWebhookSecret: string | undefined;
  /** The server that streams the transactions of Solana. */
  solanaStream: { url: string | undefined; token: string | undefined };
  /** Services for verified contract sources and function names. */
  sourcifyUrl: string;
  etherscanUrl: string;
  etherscanApiKey: string | undefined;
  signaturesUrl: string | undefined;
  trustedProxies: string[];
  /** The maximum of groups of a rule with `group_by` that are kept in memory. */
  groupsInMemory: number;
  metricsToken: string | undefined;
};

export type PaidTier = "pro" | "team" | "enterprise";

/** The version of the API and the service. */
export const version = "0.4.0";

/** The names of all settings except `RPC_<CHAIN>`, for the documentation test. */
export const settingNames = Object.keys(settings.shape);

/** Reads the settings from `.env` in the working directory and from the environment, which takes precedence. */
export function loadConfig(): Config {
  const file = existsSync(".env") ? parseEnv(readFileSync(".env", "utf8")) : {};
  const terminal = process.stdout.isTTY ? { LOG_FORMAT: "text" } : {};
  return parseConfig({ ...terminal, ...file, ...process.env });
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

/** The service that commands use instead of the database of this machine. */
export type Remote = { url: URL; key: string };

/** Reads TOCSIN_URL and TOCSIN_API_KEY; undefined if neither is set. */
export function readRemote(
  environment: Record<string, string | undefined> = process.env,
): Remote | undefined {
  const { TOCSIN_URL: address, TOCSIN_API_KEY: key } = environment;
  if (!address && !key) return undefined;
  const url = URL.parse(`${address?.replace(/\/+$/, "")}/`);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new OperatorError(
      "TOCSIN_URL must be the address of a service, such as https://tocsin.example.com.",
    );
  if (!key)
    throw new OperatorError("TOCSIN_API_KEY must be an API key of the organisation, beside TOCSIN_URL.");
  return { url, key };
}

const remoteNames = ["TOCSIN_URL", "TOCSIN_API_KEY"];

/** Validates settings. An invalid one throws an OperatorError that names it. An empty value counts as unset. */
export function parseConfig(environment: Record<string, string | undefined>): Config {
  const nonEmpty = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
  const rpc = parseRpc(nonEmpty);
  const rpcLimits = parseRpcLimits(nonEmpty);
  rejectUnknownSettings(nonEmpty);
  const parsed = settings.safeParse(nonEmpty);
  if (!parsed.success) throw new OperatorError(describe(parsed.error, nonEmpty));
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
    logFormat: env.LOG_FORMAT,
    secretsKey: env.SECRETS_KEY,
    newSecretsKey: env.NEW_SECRETS_KEY,
    signupMode: env.SIGNUP_MODE,
    staffEmail: env.STAFF_EMAIL,
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    rpc,
    rpcLimits,
    runsDemo: runsDemo(env, rpc),
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
    defaultTier: env.DEFAULT_TIER ?? (env.STRIPE_SECRET_KEY ? "free" : "enterprise"),
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
    solanaStream: { url: env.SOLANA_GRPC_URL, token: env.SOLANA_GRPC_TOKEN },
    sourcifyUrl: env.SOURCIFY_URL,
    etherscanUrl: env.ETHERSCAN_URL,
    etherscanApiKey: env.ETHERSCAN_API_KEY,
    signaturesUrl: env.SIGNATURES_URL,
    trustedProxies: env.TRUSTED_PROXIES,
    groupsInMemory: env.GROUPS_IN_MEMORY,
    metricsToken: env.METRICS_TOKEN,
  };
}

/** By default, a service with a database of its own and without any chain has something to show. */
function runsDemo(env: z.output<typeof settings>, rpc: Config["rpc"]): boolean {
  if (env.DEMO !== undefined || rpc.has("demo")) return env.DEMO === "1" && !rpc.has("demo");
  return rpc.size === 0 && env.DATABASE_URL === undefined && env.ROLES.size === 4;
}

/** The prefix `TOCSIN_` is reserved, so an unknown name with it is a typing error. */
function rejectUnknownSettings(given: Record<string, string | undefined>): void {
  const unknown = Object.keys(given).find(
    (name) => name.startsWith("TOCSIN_") && !remoteNames.includes(name),
  );
  if (unknown) throw new OperatorError(`${unknown} is not a setting of Tocsin. Settings have no prefix.`);
}

/** A price identifies the purchased tier, so each tier needs its own price. */
function rejectSharedPrices(prices: (string | undefined)[]): void {
  const set = prices.filter((price) => price !== undefined);
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
