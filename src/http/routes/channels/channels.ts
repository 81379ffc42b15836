import { z } from "zod";
import { removeChannel } from "../../../domain/channels/channel-removal.ts";
import { testChannel, testNewChannel } from "../../../domain/channels/channel-test.ts";
import { listChannelTypes } from "../../../domain/channels/channel-types.ts";
import * as channels from "../../../domain/channels/channels.ts";
import { confirmRecipient, previewRecipient } from "../../../domain/channels/recipients.ts";
import { ChannelTypeInfo } from "../../../wire/channels/channel-types.ts";
import {
  Channel,
  ChannelCreate,
  ChannelRemoval,
  ChannelsQuery,
  ChannelTest,
  ChannelTested,
  ChannelUpdate,
  RecipientPreview,
} from "../../../wire/channels/channels.ts";
import { Ok } from "../../../wire/primitives.ts";
import { type Group, listOperation, operation } from "../../operation.ts";
import { smsNumberOperations } from "./sms-numbers.ts";

const reader = { who: "org", org: "active", role: "viewer", keys: true, scope: "unrelated" } as const;
// A channel serves every contract, so a key restricted to some contracts may not change it.
const writer = { who: "org", org: "active", role: "member", keys: true } as const;

/** Longer than a provider may take to answer, so that the reply names what it did: 400 instead of 503. */
const testLimits = { deadlineMs: 30_000 };

export const channelGroup: Group = {
  tag: "Channels",
  about: "Destinations of notifications.",
  operations: [
    listOperation({
      route: "GET /channels",
      id: "listChannels",
      hasLargeReply: true,
      summary: "List channels",
      description:
        "Returns the channels of the organisation, oldest first, with masked secrets: all of them, or those that match every given filter.",
      policy: reader,
      query: ChannelsQuery,
      reply: z.array(Channel),
      list: ({ app, caller, query }) => channels.listChannels(app, caller, query),
    }),

    operation({
      route: "GET /channel-types",
      id: "listChannelTypes",
      summary: "List channel types",
      description:
        "Returns every channel type with its display name and the schema of its config. Needs no authentication.",
      policy: { who: "anyone" },
      reply: z.array(ChannelTypeInfo),
      handle: async () => listChannelTypes(),
    }),

    operation({
      route: "POST /channels",
      id: "createChannel",
      summary: "Create a channel",
      description:
        "Rules refer to the channels that they notify; system alerts go to all channels. If no signing secret is given, one is " +
        "generated and shown only in this response. URLs must not resolve to private networks. E-mail and SMS channels need an account with a " +
        "verified address. E-mail recipients who are not members are asked by mail and get alerts once they confirm; phone numbers need a " +
        "prefix that the operator allows, or an admin confirms them with a code (`POST /sms-numbers`).",
      policy: writer,
      body: ChannelCreate,
      findIssues: async ({ app, fields }) => channels.findChannelIssues(app, fields),
      reply: Channel,
      errors: ["quota_exceeded", "verification_required", "rate_limited"],
      handle: ({ app, caller, body }) => channels.createChannel(app, caller, body),
    }),

    operation({
      route: "POST /channels/test",
      id: "testNewChannel",
      summary: "Send a test message without a channel",
      description:
        "Sends a test message with the given config and waits for the result, before a channel is created, or changed if `channel_id` is " +
        "given. Nothing is stored. Recipients must satisfy the same conditions as for `POST /channels`, except that strangers are not asked to confirm.",
      policy: writer,
      body: ChannelTest,
      reply: ChannelTested,
      errors: ["not_found", "channel_test_failed", "verification_required", "rate_limited"],
      limits: testLimits,
      handle: ({ app, caller, body }) => testNewChannel(app, caller, body),
    }),

    operation({
      route: "GET /channels/{channel_id}",
      id: "getChannel",
      summary: "Get a channel",
      description: "Returns the channel with masked secrets.",
      policy: reader,
      reply: Channel,
      errors: ["not_found"],
      handle: ({ app, caller, params }) => channels.getChannel(app, caller, params.channel_id),
    }),

    operation({
      route: "PATCH /channels/{channel_id}",
      id: "updateChannel",
      summary: "Update a channel",
      description:
        "Omitted config fields, including secrets, keep their value; headers are dropped when scheme, host, port or path of the URL changes. Changing the config or enabling the channel clears its " +
        "errors. Disabling it skips the queued deliveries; this and raising its severity need write access to the contracts of all rules that notify it. Alerts of restricted contracts go only to channels whose config an admin or a " +
        "person with access to the contract last changed.",
      policy: writer,
      body: ChannelUpdate,
      reply: Channel,
      errors: ["not_found", "conflict", "verification_required", "rate_limited"],
      handle: ({ app, caller, params, body }) => channels.changeChannel(app, caller, params.channel_id, body),
    }),

    operation({
      route: "DELETE /channels/{channel_id}",
      id: "deleteChannel",
      summary: "Delete a channel",
      description:
        "Removes the channel from all rules and skips its queued deliveries. If it is the only channel of a rule, the response is 409 " +
        "`channel_in_use` with the names of these rules, unless `replace_with` moves the rules to another channel, or `force=true` " +
        "leaves those without another channel record-only. Needs write access to the contracts of these rules.",
      policy: writer,
      query: ChannelRemoval,
      reply: Ok,
      errors: ["not_found", "channel_in_use", "role_required"],
      handle: ({ app, caller, params, query }) => removeChannel(app, caller, params.channel_id, query),
    }),

    operation({
      route: "GET /channel-recipients/{token}",
      id: "getRecipient",
      summary: "Get the request to an e-mail recipient",
      description:
        "Returns, for the token of a mailed link, which organisation wants to send alerts to which address.",
      policy: { who: "link" },
      reply: RecipientPreview,
      errors: ["link_expired"],
      handle: ({ app, params }) => previewRecipient(app, params.token),
    }),

    operation({
      route: "POST /channel-recipients/{token}/confirm",
      id: "confirmRecipient",
      summary: "Confirm an e-mail recipient",
      description:
        "Confirms, with the token of a mailed link, that an address outside the organisation wants its alerts. Idempotent.",
      policy: { who: "link" },
      reply: Ok,
      errors: ["link_expired"],
      handle: ({ app, caller, params }) => confirmRecipient(app, caller, params.token),
    }),

    operation({
      route: "POST /channels/{channel_id}/test",
      id: "testChannel",
      summary: "Send a test message",
      description:
        "Sends a message that is marked as a test and waits for the result. On failure, the 400 contains the response of the provider.",
      policy: writer,
      reply: ChannelTested,
      errors: ["not_found", "conflict", "channel_test_failed", "rate_limited"],
      limits: testLimits,
      handle: ({ app, caller, params }) => testChannel(app, caller, params.channel_id),
    }),

    ...smsNumberOperations,
  ],
};
