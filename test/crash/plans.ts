import type { Target } from "../../src/wire/contracts/targets.ts";
import { contracts } from "../simchain/contents.ts";
import type { Person } from "../support/harness.ts";

/** The targets of another contract that make the engine read whole blocks. */
const more = [
  { target_type: "tx_rate" },
  {
    target_type: "function_call_rate",
    config: { function_signature: "touch(bytes32)", internal: true },
  },
];

/** Watches another contract in turn for nothing, receipts and traces, so that the plan changes under the rules. */
export async function watchInTurn({ client }: Person): Promise<{ next(): Promise<void> }> {
  const created = await client.post("/contracts", {
    chain: "local",
    address: contracts[2],
    selected_targets: more,
  });
  const { id } = created.body as { id: string };
  const targets = (await client.get(`/contracts/${id}/targets`)).body as Target[];
  let turn = 0;
  return {
    async next() {
      const wanted = turn % (targets.length + 1);
      turn += 1;
      for (const [index, target] of targets.entries())
        await client.patch(`/targets/${target.id}`, { is_enabled: index + 1 === wanted });
    },
  };
}

/** Watches nothing of the contracts, their state, or all of their targets. */
export async function watchOnly({ client }: Person, reads: "nothing" | "state" | "logs"): Promise<void> {
  const known = (await client.get("/contracts")).body as { id: string }[];
  for (const { id } of known) {
    const targets = (await client.get(`/contracts/${id}/targets`)).body as Target[];
    for (const target of targets.filter(({ needs }) => needs.includes("logs")))
      await client.patch(`/targets/${target.id}`, { is_enabled: reads === "logs" });
    await client.post(`/contracts/${id}/${reads === "nothing" ? "pause" : "resume"}`);
  }
}
