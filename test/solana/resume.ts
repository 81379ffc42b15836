import type { SolanaWorld } from "./world.ts";

/** Steps while the chain goes on, until a suspended contract is monitored again. */
export async function resume(
  { cluster, owner, step }: SolanaWorld,
  contract_id: string,
  beforeStep: () => Promise<void> = async () => undefined,
): Promise<string> {
  for (let steps = 0; steps < 400; steps++) {
    const { status, status_reason } = (await owner.client.get(`/contracts/${contract_id}`)).body as {
      status: string;
      status_reason: string;
    };
    if (status === "MONITORING") return status_reason;
    await beforeStep();
    cluster.produce([], { skipped: 40 });
    cluster.finalize(cluster.head - 32);
    await step();
    await new Promise((done) => setTimeout(done, 5));
  }
  throw new Error("the contract is not resumed");
}
