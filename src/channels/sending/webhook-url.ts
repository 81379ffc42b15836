import { z } from "zod";

/** A URL to post to. Which hosts and addresses may be reached is the address policy's to say. */
export const postUrl = z
  .string()
  .max(2048)
  .refine(isWebUrl, "must be a URL such as https://example.com/hook, without a user name or a password");

function isWebUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password;
}

/** The config of a chat that is posted to through a URL of its own, which is its key. */
export function webhookUrlConfig(example: string, where: string) {
  return z.strictObject({
    webhook_url: postUrl.meta({ description: where, examples: [example] }),
  });
}

export type WebhookUrlConfig = { webhook_url: string };
