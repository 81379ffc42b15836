import type { Schemas } from "@/lib/api.ts";

type Chain = Schemas["Chain"];

/** A chain of which no block was read yet is off for the API. Without a problem of its nodes it has only just started. */
export function chainStateText({ state, status_reason }: Pick<Chain, "state" | "status_reason">): string {
  return state === "off" && status_reason === null ? "starting" : state;
}
