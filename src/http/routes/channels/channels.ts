import { z } from "zod";
import { testChannel } from "../../../domain/channels/channel-test.ts";
import * as channels from "../../../domain/channels/channels.ts";
import { Channel, ChannelCreate, ChannelTested, ChannelUpdate } from "../../../wire/channels/channels.ts";
import { Ok } from "../../../wire/primitives.ts";
import { type Group, operation } from "../../operation.ts";

const reader = { who: "org", org: "active", role: "viewer", keys: true, scope: "unrelated" } as const;
// Whoever changes a channel changes it for every contract, so a key for some of them may not.
const writer = { who: "org", org: "active", role: "member", keys: true } as const;

export const channelGroup: Group = {
  tag: "Channels",
  about: "The places that alerts go to.",
  operations: [
    operation({
      route: "GET /channels",
      id: "listChannels",
      summary: "List channels",
      description: "The organisation's channels, oldest first, secrets masked.",
      policy: reader,
      reply: z.array(Channel),
      handle: ({ app, caller }) => channels.listChannels(app, caller),
    }),

    operation({
      route: "POST /channels",
      id: "createChannel",
      summary: "Make a channel",
      description:
        "Rules name the channels that they tell; what the service itself notices goes to all. A signing secret that is " +
        "left out is made, and shown in this answer only. URLs must not lead into private networks.",
      policy: writer,
      body: ChannelCreate,
      reply: Channel,
      errors: ["quota_exceeded"],
      handle: ({ app, caller, body }) => channels.createChannel(app, caller, body),
    }),

    operation({
      route: "PATCH /channels/{channel_id}",
      id: "updateChannel",
      summary: "Change a channel",
      description:
        "Fields of the config that are left out stay as they are, secrets included. A changed config, and switching it on, " +
        "clear what went wrong before. What waits for a channel that is switched off is skipped.",
      policy: writer,
      body: ChannelUpdate,
      reply: Channel,
      errors: ["not_found", "conflict"],
      handle: ({ app, caller, params, body }) => channels.changeChannel(app, caller, params.channel_id, body),
    }),

    operation({
      route: "DELETE /channels/{channel_id}",
      id: "deleteChannel",
      summary: "Remove a channel",
      description: "Rules that name it go on without it; what waits for it is skipped.",
      policy: writer,
      reply: Ok,
      errors: ["not_found"],
      handle: ({ app, caller, params }) => channels.removeChannel(app, caller, params.channel_id),
    }),

    operation({
      route: "POST /channels/{channel_id}/test",
      id: "testChannel",
      summary: "Try a channel out",
      description: "Sends a message that says it is a test, at once. 400 says what the provider answered.",
      policy: writer,
      reply: ChannelTested,
      errors: ["not_found", "conflict", "channel_test_failed", "rate_limited"],
      handle: ({ app, caller, params }) => testChannel(app, caller, params.channel_id),
    }),
  ],
};
