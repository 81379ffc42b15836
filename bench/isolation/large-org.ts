/** The contracts of the org whose lists and configuration are large. */
const contracts = Number(process.env.BENCH_CONTRACTS ?? 3_000);
const contractsPerDocument = 200;

/** Fills an org with contracts of two targets and three rules each. */
export async function fillOrg(url: string, cookie: string): Promise<void> {
  for (let from = 0; from < contracts; from += contractsPerDocument) {
    const numbers = Array.from(
      { length: Math.min(contractsPerDocument, contracts - from) },
      (_, i) => from + i,
    );
    const reply = await fetch(`${url}/api/v1/config/apply`, {
      method: "POST",
      headers: { cookie, origin: url, "content-type": "application/json" },
      body: JSON.stringify({ version: 1, contracts: numbers.map(toContract) }),
    });
    if (!reply.ok) throw new Error(await reply.text());
    await reply.arrayBuffer();
  }
}

function toContract(number: number) {
  const rule = (name: string, threshold: number) => ({
    name,
    severity: "warning",
    record_only: true,
    condition: { operator: "gt", threshold, window_seconds: 300 },
  });
  return {
    chain: "local",
    address: `0x${(number + 1).toString(16).padStart(40, "0")}`,
    label: `Contract ${number}`,
    labels: [{ value: "treasury" }, { value: "production" }],
    targets: [
      { name: "Transactions", target_type: "tx_rate", rules: [rule("Many", 100), rule("Very many", 1_000)] },
      { name: "Balance", target_type: "native_balance", rules: [rule("High balance", 1_000)] },
    ],
  };
}

/** The requests of the org for its lists, its configuration, and a comparison with a part of it. */
export function largeRequests(): {
  method: string;
  path: string;
  type?: string;
  bytes?: Uint8Array<ArrayBuffer>;
}[] {
  const numbers = Array.from({ length: contractsPerDocument }, (_, number) => number);
  const document = JSON.stringify({ version: 1, contracts: numbers.map(toContract) });
  return [
    ...["/contracts", "/alerts", "/config", "/contracts?limit=500", "/alerts?limit=500"].map((path) => ({
      method: "GET",
      path,
    })),
    {
      ...{ method: "POST", path: "/config/apply?dry_run=true", type: "application/json" },
      bytes: new TextEncoder().encode(document),
    },
  ];
}
