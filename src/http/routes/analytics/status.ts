import { getStatus } from "../../../domain/analytics/service-status.ts";
import { ServiceStatus } from "../../../wire/analytics/service-status.ts";
import { type Group, operation } from "../../operation.ts";

export const statusGroup: Group = {
  tag: "Status",
  about: "How the service is.",
  operations: [
    operation({
      route: "GET /status",
      id: "getStatus",
      summary: "See how the service is",
      description:
        "Head and lag of every chain, and how long detection took in the last hour. Open to everybody.",
      policy: { who: "anyone" },
      reply: ServiceStatus,
      handle: ({ app }) => getStatus(app),
    }),
  ],
};
