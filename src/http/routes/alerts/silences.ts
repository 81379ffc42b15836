import { z } from "zod";
import * as silences from "../../../domain/alerts/silences.ts";
import { Silence, SilenceCreate } from "../../../wire/alerts/silences.ts";
import { Ok } from "../../../wire/primitives.ts";
import { type Group, operation } from "../../operation.ts";

const reader = { who: "org", org: "active", role: "viewer", keys: true } as const;
const writer = { ...reader, role: "member" } as const;

export const silenceGroup: Group = {
  tag: "Silences",
  about: "Times in which alerts are recorded and nobody is told.",
  operations: [
    operation({
      route: "GET /silences",
      id: "listSilences",
      summary: "List silences",
      description:
        "Those that hold or are to come, the first to end first; not those of contracts one cannot see.",
      policy: { ...reader, scope: "filtered" },
      reply: z.array(Silence),
      handle: ({ app, caller }) => silences.listSilences(app, caller),
    }),

    operation({
      route: "POST /silences",
      id: "createSilence",
      summary: "Silence alerts for a while",
      description:
        "By contract, label or severity, all of which must fit, or `all`. Alerts are recorded, and their deliveries say " +
        "which silence held them back. Of alarms that outlast the silence people are told when it ends.",
      policy: writer,
      body: SilenceCreate,
      touches: ({ body }) => [body.contract_id ? { resource: "contract", id: body.contract_id } : "org"],
      status: 201,
      reply: Silence,
      errors: ["quota_exceeded", "role_required"],
      handle: ({ app, caller, body }) => silences.createSilence(app, caller, body),
    }),

    operation({
      route: "DELETE /silences/{silence_id}",
      id: "deleteSilence",
      summary: "End a silence",
      description: "At once. Of alarms that still go on people are told now.",
      policy: writer,
      reply: Ok,
      errors: ["not_found", "role_required"],
      handle: ({ app, caller, params }) => silences.removeSilence(app, caller, params.silence_id),
    }),
  ],
};
