import { z } from "zod";
import { listDeliveries, replayDelivery } from "../../../domain/channels/deliveries.ts";
import { Delivery, DeliveryQuery } from "../../../wire/channels/deliveries.ts";
import { type Group, listOperation, operation } from "../../operation.ts";

const reader = { who: "org", org: "active", role: "viewer", keys: true } as const;

export const deliveryGroup: Group = {
  tag: "Deliveries",
  about: "Messages to channels, with their attempts.",
  operations: [
    listOperation({
      route: "GET /deliveries",
      id: "listDeliveries",
      hasLargeReply: true,
      summary: "List deliveries",
      description:
        "Returns deliveries for alerts on contracts that the caller can see, newest first, with their attempts. Keep `to` constant while paging.",
      policy: { ...reader, scope: "filtered" },
      query: DeliveryQuery,
      reply: z.array(Delivery),
      list: ({ app, caller, query }) => listDeliveries(app, caller, query),
    }),

    operation({
      route: "POST /deliveries/{delivery_id}/replay",
      id: "replayDelivery",
      summary: "Replay a delivery",
      description:
        "Sends the message again under the same id, so that the receiver can recognise the duplicate. Possible for deliveries that are sent, failed, skipped or silenced. Counts as a message of the hour.",
      policy: { ...reader, role: "member" },
      reply: Delivery,
      errors: ["not_found", "delivery_in_progress", "conflict", "role_required", "rate_limited"],
      handle: ({ app, caller, params }) => replayDelivery(app, caller, params.delivery_id),
    }),
  ],
};
