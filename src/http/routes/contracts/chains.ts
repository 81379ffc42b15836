import { z } from "zod";
import { listEnabledChains } from "../../../domain/contracts/chains.ts";
import { ChainInfo } from "../../../wire/contracts/contracts.ts";
import { type Group, operation } from "../../operation.ts";

export const chainGroup: Group = {
  tag: "Chains",
  about: "The chains that this service follows.",
  operations: [
    operation({
      route: "GET /chains",
      id: "listChains",
      summary: "List chains",
      description: "Every enabled chain with its head and how far behind it the service is.",
      policy: { who: "anyone" },
      reply: z.array(ChainInfo),
      handle: ({ app }) => listEnabledChains(app),
    }),
  ],
};
