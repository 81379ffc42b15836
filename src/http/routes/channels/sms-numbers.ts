import { z } from "zod";
import { requestSmsCode } from "../../../domain/channels/request-sms-code.ts";
import { confirmSmsNumber, listSmsNumbers, removeSmsNumber } from "../../../domain/channels/sms-numbers.ts";
import {
  SmsCode,
  SmsNumber,
  SmsNumberCreate,
  SmsNumberRequested,
} from "../../../wire/channels/sms-numbers.ts";
import { Ok } from "../../../wire/primitives.ts";
import { operation } from "../../operation.ts";

const reader = { who: "org", org: "active", role: "viewer", keys: true, scope: "unrelated" } as const;
/** Each code costs the operator money, so a person has to request it. */
const admin = { who: "org", org: "active", role: "admin", keys: false } as const;

export const smsNumberOperations = [
  operation({
    route: "GET /sms-numbers",
    id: "listSmsNumbers",
    summary: "List phone numbers",
    description: "Returns the numbers that are confirmed, or wait for their code, oldest first.",
    policy: reader,
    reply: z.array(SmsNumber),
    handle: ({ app, caller }) => listSmsNumbers(app, caller),
  }),

  operation({
    route: "POST /sms-numbers",
    id: "requestSmsCode",
    summary: "Send a code to a phone number",
    description:
      "Sends a code of 6 digits, which is valid for 10 minutes and replaces an earlier one. Numbers whose prefix the operator allows need none. " +
      "At most 5 codes per hour and organisation, 10 per day and user, 5 per day and number; each counts as a text message. " +
      "Needs an account with a verified address. Admins only.",
    policy: admin,
    body: SmsNumberCreate,
    reply: SmsNumberRequested,
    errors: [
      "verification_required",
      "quota_exceeded",
      "rate_limited",
      "conflict",
      "sms_not_configured",
      "unavailable",
    ],
    limits: { deadlineMs: 20_000 },
    handle: ({ app, caller, body }) => requestSmsCode(app, caller, body),
  }),

  operation({
    route: "POST /sms-numbers/{number_id}/confirm",
    id: "confirmSmsNumber",
    summary: "Confirm a phone number",
    description:
      "SMS channels of the organisation can then send to the number. A code works once and allows 5 attempts. Admins only.",
    policy: admin,
    body: SmsCode,
    reply: SmsNumber,
    errors: ["not_found", "invalid_code", "code_expired", "conflict"],
    handle: ({ app, caller, params, body }) => confirmSmsNumber(app, caller, params.number_id, body),
  }),

  operation({
    route: "DELETE /sms-numbers/{number_id}",
    id: "deleteSmsNumber",
    summary: "Delete a phone number",
    description:
      "Messages to the number are no longer sent, unless the operator allows its prefix. Admins only.",
    policy: admin,
    reply: Ok,
    errors: ["not_found"],
    handle: ({ app, caller, params }) => removeSmsNumber(app, caller, params.number_id),
  }),
];
