import type { Config } from "../../config.ts";
import { makeLog } from "../../lib/log/log.ts";
import { checkSmtp } from "../../lib/mail/smtp-mailer.ts";
import type { Check } from "./check.ts";

/** Checks of the services that are configured. */
export function serviceChecks({ redisUrl, smtpUrl }: Config): Check[] {
  return [
    ...(redisUrl ? [redisCheck(redisUrl)] : []),
    ...(smtpUrl
      ? [
          {
            name: "SMTP",
            remedy: "Correct SMTP_URL, or remove it to write mails to files.",
            probe: () => checkSmtp(smtpUrl).then(() => "the server accepts the log-in"),
          },
        ]
      : []),
  ];
}

function redisCheck(url: string): Check {
  return {
    name: "Redis",
    remedy: "Start Redis and correct REDIS_URL, or remove it: PostgreSQL then does its work.",
    async probe() {
      const { openRedis } = await import("../../lib/bus/redis.ts");
      const redis = openRedis(url, makeLog("silent"));
      try {
        await redis.ping();
        return "answers";
      } finally {
        redis.disconnect();
      }
    },
  };
}
