import { z } from "zod";
import { getDemo, removeDemo, startDemo } from "../../../domain/contracts/demo.ts";
import { listDemoIncidents } from "../../../domain/contracts/demo-chain.ts";
import { Demo, DemoIncident, DemoIncidentQuery } from "../../../wire/contracts/demo.ts";
import { type Group, operation } from "../../operation.ts";

const person = { who: "org", org: "active", keys: false } as const;

export const demoGroup: Group = {
  tag: "Demo",
  about: "Contracts of the demo chain that show what the service does, without a node or a network.",
  operations: [
    operation({
      route: "GET /demo",
      id: "getDemo",
      summary: "Get the state of the demo",
      description:
        "Returns whether this service runs the demo chain, and which of its contracts the organisation monitors.",
      policy: { ...person, role: "viewer" },
      reply: Demo,
      handle: ({ app, caller }) => getDemo(app, caller),
    }),

    operation({
      route: "GET /demo/incidents",
      id: "listDemoIncidents",
      summary: "Explain a block of the demo chain",
      description:
        "Returns the incidents that an alert in the block may be about. Ordinary blocks have none.",
      policy: { ...person, role: "viewer" },
      query: DemoIncidentQuery,
      reply: z.array(DemoIncident),
      handle: ({ app, query }) => listDemoIncidents(app, query),
    }),

    operation({
      route: "POST /demo",
      id: "startDemo",
      summary: "Start the demo",
      description:
        "Adds the contracts of the demo chain with the label `demo`, applies the recommended templates, and notifies an inbox. " +
        "The first incident begins some seconds later. Repeating it adds what is missing.",
      policy: { ...person, role: "member" },
      reply: Demo,
      errors: ["conflict", "quota_exceeded", "chain_unavailable"],
      limits: { deadlineMs: 60_000 },
      handle: ({ app, caller }) => startDemo(app, caller),
    }),

    operation({
      route: "DELETE /demo",
      id: "removeDemo",
      summary: "Remove the demo",
      description:
        "Deletes every contract of the organisation on the demo chain with its targets, rules and alerts, and the inbox of the demo with its messages.",
      policy: { ...person, role: "admin" },
      reply: Demo,
      handle: ({ app, caller }) => removeDemo(app, caller),
    }),
  ],
};
