import { z } from "zod";
import { listDeliveries, replayDelivery } from "../../../domain/channels/deliveries.ts";
import { Delivery, DeliveryQuery } from "../../../wire/channels/deliveries.ts";
import { type Group, operation } from "../../operation.ts";

const reader = { who: "org", org: "active", role: "viewer", keys: true } as const;

export const deliveryGroup: Group = {
  tag: "Deliveries",
  about: "What was sent to channels, attempt by attempt.",
  operations: [
    operation({
      route: "GET /deliveries",
      id: "listDeliveries",
      summary: "List deliveries",
      description:
        "Of alerts on contracts that the caller may see, newest first, with every attempt. Pin `to` while paging.",
      policy: { ...reader, scope: "filtered" },
      query: DeliveryQuery,
      reply: z.array(Delivery),
      handle: ({ app, caller, query }) => listDeliveries(app, caller, query),
    }),

    operation({
      route: "POST /deliveries/{delivery_id}/replay",
      id: "replayDelivery",
      summary: "Send a message again",
      description:
        "Under the same id, so that a receiver can tell. For messages that were sent, given up, skipped or silenced.",
      policy: { ...reader, role: "member" },
      reply: Delivery,
      errors: ["not_found", "delivery_in_progress", "conflict", "role_required"],
      handle: ({ app, caller, params }) => replayDelivery(app, caller, params.delivery_id),
    }),
  ],
};
