import type { Config } from "../config.ts";
import { rpcName } from "./rpc.ts";

/** The settings with secrets and URL credentials masked. */
export function maskConfig(config: Config): Record<string, string> {
  const secret = (value: string | undefined) => (value ? "(set)" : "(not set)");
  return {
    PORT: String(config.port),
    HOST: config.host,
    PUBLIC_URL: config.publicUrl ? maskUrl(config.publicUrl.href) : "(not set)",
    DATA_DIR: config.dataDir,
    DATABASE_URL: config.databaseUrl ? maskUrl(config.databaseUrl) : "(not set: embedded PostgreSQL)",
    REDIS_URL: config.redisUrl ? maskUrl(config.redisUrl) : "(not set)",
    ROLES: [...config.roles].join(","),
    PROCESSES: config.isSingleProcess ? "1" : "roles",
    LOG_LEVEL: config.logLevel,
    LOG_FORMAT: config.logFormat,
    SECRETS_KEY: config.secretsKey ? "(set)" : "(not set: kept in DATA_DIR)",
    NEW_SECRETS_KEY: secret(config.newSecretsKey),
    SIGNUP_MODE: config.signupMode,
    STAFF_EMAIL: config.staffEmail ?? "(not set)",
    SMTP_URL: config.smtpUrl ? maskUrl(config.smtpUrl) : "(not set: mail goes to DATA_DIR/mail)",
    MAIL_FROM: config.mailFrom,
    DEMO: config.runsDemo ? "1" : "0",
    OUTBOUND_ALLOW: config.outboundAllow.join(",") || "(not set)",
    TELEGRAM_API_URL: maskUrl(config.telegramUrl),
    PAGERDUTY_API_URL: maskUrl(config.pagerdutyUrl),
    OPSGENIE_API_URL: maskUrl(config.opsgenieUrl),
    OPSGENIE_EU_API_URL: maskUrl(config.opsgenieEuUrl),
    TWILIO_API_URL: maskUrl(config.twilioUrl),
    TWILIO_ACCOUNT_SID: config.twilioAccountSid ?? "(not set)",
    TWILIO_AUTH_TOKEN: secret(config.twilioAuthToken),
    TWILIO_FROM: config.twilioFrom ?? "(not set)",
    SMS_ALLOW: config.smsAllow.join(",") || "(not set: only numbers that an admin confirmed)",
    DEFAULT_TIER: config.defaultTier,
    STRIPE_SECRET_KEY: config.stripe.secretKey ? "(set)" : "(not set: no billing)",
    STRIPE_API_URL: maskUrl(config.stripe.url.href),
    STRIPE_WEBHOOK_SECRET: secret(config.stripe.webhookSecrets[0]),
    STRIPE_PRICE_PRO: config.stripe.prices.pro ?? "(not set)",
    STRIPE_PRICE_TEAM: config.stripe.prices.team ?? "(not set)",
    STRIPE_PRICE_ENTERPRISE: config.stripe.prices.enterprise ?? "(not set)",
    HELIUS_WEBHOOK_SECRET: secret(config.heliusWebhookSecret),
    SOLANA_GRPC_URL: config.solanaStream.url ? hostOnly(config.solanaStream.url) : "(not set)",
    SOLANA_GRPC_TOKEN: secret(config.solanaStream.token),
    SOURCIFY_URL: maskUrl(config.sourcifyUrl),
    ETHERSCAN_URL: maskUrl(config.etherscanUrl),
    ETHERSCAN_API_KEY: secret(config.etherscanApiKey),
    SIGNATURES_URL: config.signaturesUrl ? maskUrl(config.signaturesUrl) : "(not set)",
    TRUSTED_PROXIES: config.trustedProxies.join(",") || "(not set)",
    GROUPS_IN_MEMORY: String(config.groupsInMemory),
    METRICS_TOKEN: secret(config.metricsToken),
    ...Object.fromEntries(
      [...config.rpc].map(([chain, urls]) => [rpcName(chain), urls.map(hostOnly).join(",")]),
    ),
  };
}

function hostOnly(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}/…`;
}

/**
 * The user name is masked with the password, since some mail services use one token as both. The query may hold
 * credentials too.
 */
function maskUrl(text: string): string {
  const { protocol, username, password, host, pathname, search } = new URL(text);
  return `${protocol}//${username || password ? "…@" : ""}${host}${pathname}${search && "?…"}`;
}
