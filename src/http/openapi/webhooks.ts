import { WebhookMessage } from "../../wire/channels/webhook-message.ts";
import type { SchemaBook } from "./schema-book.ts";

/** Describes the requests that the service sends to channels of the type `webhook`. */
export function makeWebhooks(book: SchemaBook): Record<string, unknown> {
  const schema = book.add(WebhookMessage, "output");
  return {
    alert: {
      post: {
        operationId: "receiveAlert",
        tags: ["Channels"],
        summary: "Receive an alert",
        description:
          "Sent to channels of the type `webhook`, signed by [Standard Webhooks](https://www.standardwebhooks.com): the signature is the " +
          "base64 of the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`, with the secret of the channel after `whsec_`, " +
          "decoded from base64, as its key. A message is repeated with the same `webhook-id` until a status of 2xx arrives, so that " +
          "receivers can ignore what they have received before.",
        security: [],
        parameters: signatureHeaders,
        requestBody: {
          required: true,
          content: { "application/json": { schema, example: book.exampleOf(schema) } },
        },
        responses: {
          "200": { description: "Any status of 2xx: the message is delivered." },
          "410": { description: "The channel is disabled." },
          "429": {
            description: "Every other status: the message is sent again, after `Retry-After` if present.",
          },
        },
      },
    },
  };
}

const signatureHeaders = [
  {
    name: "webhook-id",
    in: "header",
    required: true,
    description: "Id of the message, the same for every attempt.",
    schema: { type: "string" },
    example: "019a8c1e-7c4b-7d3a-9f21-3b6c1f0e5a42",
  },
  {
    name: "webhook-timestamp",
    in: "header",
    required: true,
    description: "Unix time of the attempt in seconds. Reject what is older than a few minutes.",
    schema: { type: "string" },
    example: "1794735000",
  },
  {
    name: "webhook-signature",
    in: "header",
    required: true,
    description: "`v1,` and the signature.",
    schema: { type: "string" },
    example: "v1,2ppC4Irhk0EHh9AYMsBklBjMOlCbZYe8g24WvZ+z0HE=",
  },
];
