import { z } from "zod";
import {
  createKey,
  getKey,
  listKeys,
  regenerateKey,
  renameKey,
  revokeKey,
} from "../../../domain/orgs/api-keys.ts";
import { keyUsage, usageSummary } from "../../../domain/orgs/key-usage.ts";
import {
  ApiKey,
  ApiKeyCreate,
  ApiKeyUpdate,
  ApiKeyUsage,
  ApiKeyUsageSummary,
  NewApiKey,
} from "../../../wire/orgs/api-keys.ts";
import { PageQuery } from "../../../wire/paging.ts";
import { Ok } from "../../../wire/primitives.ts";
import { type Group, listOperation, operation } from "../../operation.ts";

/** Keys cannot manage keys: a key that creates keys could extend its own privileges. */
const reader = { who: "org", org: "active", role: "viewer", keys: false } as const;
const admin = { ...reader, role: "admin" } as const;

export const apiKeyGroup: Group = {
  tag: "API keys",
  about:
    "Keys for programs that call the API for an organisation. Send a key as `Authorization: Bearer <key>`.",
  operations: [
    listOperation({
      route: "GET /api-keys",
      id: "listApiKeys",
      hasLargeReply: true,
      summary: "List API keys",
      description:
        "Returns the keys by prefix, newest first. Inactive keys are listed for 90 days. Contracts that the caller cannot see are omitted from the scopes.",
      policy: reader,
      query: PageQuery,
      reply: z.array(ApiKey),
      list: ({ app, caller, query }) => listKeys(app, caller, query),
    }),

    operation({
      route: "POST /api-keys",
      id: "createApiKey",
      summary: "Create an API key",
      description:
        "Returns the plaintext key, which is shown only once. The key acts with the role `member` within its scope. Admins only.",
      policy: { ...admin, tier: "pro" },
      body: ApiKeyCreate,
      reply: NewApiKey,
      showsSecret: true,
      errors: ["quota_exceeded", "shown_once"],
      handle: ({ app, caller, body }) => createKey(app, caller, body),
    }),

    operation({
      route: "GET /api-keys/{key_id}",
      id: "getApiKey",
      summary: "Get an API key",
      description:
        "Returns the key by its prefix, active or not. Contracts that the caller cannot see are omitted from the scope.",
      policy: reader,
      reply: ApiKey,
      errors: ["not_found"],
      handle: ({ app, caller, params }) => getKey(app, caller, params.key_id),
    }),

    operation({
      route: "PATCH /api-keys/{key_id}",
      id: "updateApiKey",
      summary: "Rename an API key",
      description: "Changes the name. Scope and expiry are fixed when a key is created. Admins only.",
      policy: admin,
      body: ApiKeyUpdate,
      reply: ApiKey,
      errors: ["not_found"],
      handle: ({ app, caller, params, body }) => renameKey(app, caller, params.key_id, body),
    }),

    operation({
      route: "DELETE /api-keys/{key_id}",
      id: "revokeApiKey",
      summary: "Revoke an API key",
      description:
        "Requests with the key get 401 from now on, and the key no longer counts towards the quota. Idempotent. Admins only.",
      policy: admin,
      reply: Ok,
      handle: ({ app, caller, params }) => revokeKey(app, caller, params.key_id),
    }),

    operation({
      route: "POST /api-keys/{key_id}/regenerate",
      id: "regenerateApiKey",
      summary: "Regenerate an API key",
      description:
        "Revokes the key and returns a new one with the same name, scope, restrictions and expiry. Admins only. Below the Pro tier, revoke " +
        "a leaked key instead.",
      policy: {
        ...admin,
        tier: "pro",
        belowTier: "A leaked key can be revoked on every tier: DELETE /api-keys/{key_id}.",
      },
      reply: NewApiKey,
      showsSecret: true,
      errors: ["api_key_inactive", "shown_once"],
      handle: ({ app, caller, params }) => regenerateKey(app, caller, params.key_id),
    }),

    operation({
      route: "GET /api-keys/usage/summary",
      id: "getApiKeyUsageSummary",
      hasLargeReply: true,
      summary: "Get the usage of all keys",
      description: "Returns requests and errors of the last 30 days, per day and per key.",
      policy: reader,
      reply: ApiKeyUsageSummary,
      handle: ({ app, caller }) => usageSummary(app, caller),
    }),

    operation({
      route: "GET /api-keys/{key_id}/usage",
      id: "getApiKeyUsage",
      summary: "Get the usage of a key",
      description: "Returns requests and errors of the last 30 days, per day, including today so far.",
      policy: reader,
      reply: ApiKeyUsage,
      handle: ({ app, caller, params }) => keyUsage(app, caller, params.key_id),
    }),
  ],
};
