import { getStatus } from "../../../domain/analytics/service-status.ts";
import { ServiceStatus } from "../../../wire/analytics/service-status.ts";
import { type Group, operation } from "../../operation.ts";

export const statusGroup: Group = {
  tag: "Status",
  about: "State of the service.",
  operations: [
    operation({
      route: "GET /status",
      id: "getStatus",
      summary: "Get the service status",
      description:
        "Returns head and lag of every chain, and the latencies of detection and delivery over the last hour. Needs no authentication.",
      policy: { who: "anyone" },
      reply: ServiceStatus,
      handle: ({ app }) => getStatus(app),
    }),
  ],
};
