import { z } from "zod";
import * as silences from "../../../domain/alerts/silences.ts";
import { Silence, SilenceCreate, SilenceUpdate } from "../../../wire/alerts/silences.ts";
import { PageQuery } from "../../../wire/paging.ts";
import { Ok } from "../../../wire/primitives.ts";
import { type Group, listOperation, operation } from "../../operation.ts";

const reader = { who: "org", org: "active", role: "viewer", keys: true } as const;
const writer = { ...reader, role: "member" } as const;

export const silenceGroup: Group = {
  tag: "Silences",
  about: "Time ranges in which alerts are recorded and notifications are suppressed.",
  operations: [
    listOperation({
      route: "GET /silences",
      id: "listSilences",
      hasLargeReply: true,
      summary: "List silences",
      description:
        "Returns current and future silences, earliest end first. Silences of contracts that the caller cannot see are omitted.",
      policy: { ...reader, scope: "filtered" },
      query: PageQuery,
      reply: z.array(Silence),
      list: ({ app, caller, query }) => silences.listSilences(app, caller, query),
    }),

    operation({
      route: "POST /silences",
      id: "createSilence",
      summary: "Create a silence",
      description:
        "Suppresses notifications for alerts that match all of contract, label and severity, or for `all`. Alerts are still " +
        "recorded, with the silence in their deliveries. A silence covers only contracts that its author may change. Alerts that outlast the silence are notified when it ends.",
      policy: writer,
      body: SilenceCreate,
      touches: ({ body }) => [body.contract_id ? { resource: "contract", id: body.contract_id } : "org"],
      status: 201,
      reply: Silence,
      errors: ["quota_exceeded", "role_required"],
      handle: ({ app, caller, body }) => silences.createSilence(app, caller, body),
    }),

    operation({
      route: "GET /silences/{silence_id}",
      id: "getSilence",
      summary: "Get a silence",
      description: "Returns the silence, also after it has ended.",
      policy: { ...reader, scope: "filtered" },
      reply: Silence,
      errors: ["not_found"],
      handle: ({ app, caller, params }) => silences.getSilence(app, caller, params.silence_id),
    }),

    operation({
      route: "PATCH /silences/{silence_id}",
      id: "updateSilence",
      summary: "Update a silence",
      description:
        "Changes the reason, or the times: the end of a silence that has not ended, and the start of one that has not started. What it " +
        "covers cannot be changed. A silence that covers contracts which the caller may not change is changed by an admin.",
      policy: writer,
      body: SilenceUpdate,
      reply: Silence,
      errors: ["not_found", "role_required"],
      handle: ({ app, caller, params, body }) => silences.changeSilence(app, caller, params.silence_id, body),
    }),

    operation({
      route: "DELETE /silences/{silence_id}",
      id: "deleteSilence",
      summary: "End a silence",
      description:
        "Ends the silence immediately. Alerts that are still firing are notified now. A silence that covers contracts which the caller " +
        "may not change is ended by an admin.",
      policy: writer,
      reply: Ok,
      errors: ["not_found", "role_required"],
      handle: ({ app, caller, params }) => silences.removeSilence(app, caller, params.silence_id),
    }),
  ],
};
