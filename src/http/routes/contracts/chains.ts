import { z } from "zod";
import { listEnabledChains } from "../../../domain/contracts/chains.ts";
import { ChainInfo } from "../../../wire/contracts/chains.ts";
import { type Group, operation } from "../../operation.ts";

export const chainGroup: Group = {
  tag: "Chains",
  about: "Blockchains that this service follows.",
  operations: [
    operation({
      route: "GET /chains",
      id: "listChains",
      summary: "List chains",
      description:
        "Returns every enabled chain with its head and the lag of the service. Needs no authentication.",
      policy: { who: "anyone" },
      reply: z.array(ChainInfo),
      handle: ({ app }) => listEnabledChains(app),
    }),
  ],
};
