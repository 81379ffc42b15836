import { z } from "zod";

/** Nodes limit subscriptions; transactions of further addresses are found by polling. */
const maxSubscriptions = 100;

const message = z.object({
  id: z.number().optional(),
  result: z.unknown(),
  method: z.string().optional(),
  params: z.object({ subscription: z.union([z.number(), z.string()]) }).optional(),
});

/** The subscriptions of one connection: which address each of them is for. */
export class LogSubscriptions {
  private readonly addresses: readonly string[];
  /** The addresses by the number that the node gave their subscription. */
  private readonly confirmed = new Map<string, string>();
  private readonly covered = new Set<string>();
  private nextPing: number;
  /** The number of messages that were received. */
  messages = 0;

  constructor(addresses: ReadonlySet<string>) {
    this.addresses = [...addresses].slice(0, maxSubscriptions);
    this.nextPing = this.addresses.length + 1;
  }

  covers(address: string): boolean {
    return this.covered.has(address);
  }

  /** One request per address: nodes accept a single address in `mentions`. */
  requests(): string[] {
    return this.addresses.map((address, index) => {
      const params = [{ mentions: [address] }, { commitment: "confirmed" }];
      return JSON.stringify({ jsonrpc: "2.0", id: index + 1, method: "logsSubscribe", params });
    });
  }

  ping(): string {
    return JSON.stringify({ jsonrpc: "2.0", id: this.nextPing++, method: "getHealth", params: [] });
  }

  /** Reads a message. Returns what it announces; the address is undefined if the subscription is unknown. */
  receive(text: string): { address: string | undefined } | undefined {
    this.messages += 1;
    if (text.includes('"logsNotification"')) {
      const match = /"subscription"\s*:\s*"?(\d{1,20})/.exec(text.slice(0, 300) + text.slice(-200));
      return { address: this.confirmed.get(match?.[1] ?? "") };
    }
    this.confirm(text);
    return undefined;
  }

  private confirm(text: string): void {
    const parsed = message.safeParse(parse(text));
    const { id, result } = parsed.data ?? {};
    const address = id === undefined ? undefined : this.addresses[id - 1];
    if (!address || (typeof result !== "number" && typeof result !== "string")) return;
    this.confirmed.set(String(result), address);
    this.covered.add(address);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
