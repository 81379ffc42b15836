import { z } from "zod";

/** A destination URL. The address policy decides which hosts may be reached. */
export const postUrl = z
  .string()
  .max(2048)
  .refine(isWebUrl, "must be a URL such as https://example.com/hook, without a user name or a password");

function isWebUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password;
}

/** The config of a chat that has a secret webhook URL. */
export function webhookUrlConfig(example: string, description: string) {
  return z.strictObject({
    webhook_url: postUrl.meta({ description, examples: [example] }),
  });
}

export type WebhookUrlConfig = { webhook_url: string };
