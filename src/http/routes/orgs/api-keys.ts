import { z } from "zod";
import { createKey, listKeys, regenerateKey, revokeKey } from "../../../domain/orgs/api-keys.ts";
import { keyUsage, usageSummary } from "../../../domain/orgs/key-usage.ts";
import {
  ApiKey,
  ApiKeyCreate,
  ApiKeyUsage,
  ApiKeyUsageSummary,
  NewApiKey,
} from "../../../wire/orgs/api-keys.ts";
import { Ok } from "../../../wire/primitives.ts";
import { type Group, operation } from "../../operation.ts";

/** Keys are made and ended by people: a key that could make keys could outgrow itself. */
const reader = { who: "org", org: "active", role: "viewer", keys: false } as const;
const admin = { ...reader, role: "admin" } as const;

export const apiKeyGroup: Group = {
  tag: "API keys",
  about: "Keys that machines act for the organisation with. Send one as `Authorization: Bearer <key>`.",
  operations: [
    operation({
      route: "GET /api-keys",
      id: "listApiKeys",
      summary: "List API keys",
      description:
        "By prefix, newest first; ended ones for 90 days. Contracts that the caller does not see are left out.",
      policy: reader,
      reply: z.array(ApiKey),
      handle: ({ app, caller }) => listKeys(app, caller),
    }),

    operation({
      route: "POST /api-keys",
      id: "createApiKey",
      summary: "Make an API key",
      description:
        "The answer holds the key itself, this once. It acts as a member of the organisation, within its scope.",
      policy: { ...admin, tier: "pro" },
      body: ApiKeyCreate,
      reply: NewApiKey,
      showsSecret: true,
      errors: ["quota_exceeded", "shown_once"],
      handle: ({ app, caller, body }) => createKey(app, caller, body),
    }),

    operation({
      route: "DELETE /api-keys/{key_id}",
      id: "revokeApiKey",
      summary: "Revoke an API key",
      description:
        "From the next request on it is answered with 401, and its place is free. Repeating it changes nothing.",
      policy: admin,
      reply: Ok,
      handle: ({ app, caller, params }) => revokeKey(app, caller, params.key_id),
    }),

    operation({
      route: "POST /api-keys/{key_id}/regenerate",
      id: "regenerateApiKey",
      summary: "Replace an API key",
      description: "The old key ends at once; the new one has its name, scope, restrictions and expiry.",
      policy: { ...admin, tier: "pro" },
      reply: NewApiKey,
      showsSecret: true,
      errors: ["api_key_inactive", "shown_once"],
      handle: ({ app, caller, params }) => regenerateKey(app, caller, params.key_id),
    }),

    operation({
      route: "GET /api-keys/usage/summary",
      id: "getApiKeyUsageSummary",
      summary: "Usage of all keys",
      description: "The last 30 days by day and by key.",
      policy: reader,
      reply: ApiKeyUsageSummary,
      handle: ({ app, caller }) => usageSummary(app, caller),
    }),

    operation({
      route: "GET /api-keys/{key_id}/usage",
      id: "getApiKeyUsage",
      summary: "Usage of a key",
      description: "Requests and errors by day, today as it stands.",
      policy: reader,
      reply: ApiKeyUsage,
      handle: ({ app, caller, params }) => keyUsage(app, caller, params.key_id),
    }),
  ],
};
