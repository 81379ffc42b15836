import { expect, test } from "vitest";
import { emits, freshWorld, transferSignature, tokenAddress, atLeast } from "../pipeline/world.ts";
import { harness } from "../support/harness.ts";
import { measureStandstill } from "../hostile/loop-probe.ts";
test("x", async () => {
  const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
  for (const [targets, rules, filter, match] of [[1,1],[20,1],[20,10],[1,20,false,true],[5,2,true,true]] as any) {
    const world = await freshWorld(h);
    const config = (n: number) => ({ event_signature: transferSignature, filter: `value >= ${-n}`, ...(filter && { filter: Array.from({length: 100}, (_, i) => `value > ${1000000+n+i}`).join(" or ") }) });
    const body = { chain: "local", address: tokenAddress, label: "T", selected_targets: Array.from({length: targets}, (_, n) => ({ target_type: "event_frequency", config: config(n) })) };
    const reply = await world.owner.client.post("/contracts", body);
    if (reply.status !== 200) throw new Error(reply.text);
    const ts = (await world.owner.client.get(`/contracts/${(reply.body as any).id}/targets`)).body as { id: string }[];
    for (const t of ts) for (let r = 0; r < rules; r++) await world.rule(t.id, { ...atLeast(100000+r), ...(match && { match: { events: [{ signature: transferSignature, expression: Array.from({length: 100}, (_, i) => `value > ${1000000+r+i}`).join(" or ") }] } }) });
    await world.catchUp();
    world.chain.mine([emits(...Array.from({ length: 10000 }, (_, n) => n))]);
    const c = process.threadCpuUsage(); const w = performance.now();
    const r = await measureStandstill(() => world.catchUp());
    const d = process.threadCpuUsage(c);
    console.log({ targets, n: ts.length, rules, filter, match, cpu: (d.user+d.system)/1000, wall: performance.now()-w, still: r.cpuMs });
  }
}, 600000);
