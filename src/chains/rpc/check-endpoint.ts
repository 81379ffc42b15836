import { makeAddressPolicy } from "../../lib/outbound/address-policy.ts";
import { makeOutbound } from "../../lib/outbound/outbound.ts";
import type { EndpointCheck, EndpointCheckOptions } from "../family.ts";
import type { ErrorClassifier } from "./classify-error.ts";
import { makeRpc, type Rpc } from "./rpc.ts";
import type { Session } from "./session.ts";

/** What a family asks an endpoint: the call for its head, and one question per thing that it may refuse. */
export type EndpointQuestions = {
  classifyError: ErrorClassifier;
  handshake?: (session: Session) => Promise<void>;
  head(rpc: Rpc): Promise<number>;
  questions: { name: string; ask(session: Session, head: number): Promise<unknown> }[];
};

/** Patient: an operator waits for the result, and a slow endpoint is not one that refuses. */
const timeoutMs = 5_000;

/** Asks one endpoint everything. The operator chose its URL, so it may be anywhere. */
export async function checkEndpoint(
  { url, clock }: EndpointCheckOptions,
  { classifyError, handshake, head: askHead, questions }: EndpointQuestions,
): Promise<EndpointCheck> {
  const outbound = makeOutbound({ policy: makeAddressPolicy({ allow: ["0.0.0.0/0", "::/0"] }) });
  const open = () =>
    makeRpc({
      ...{ urls: [url], outbound, clock, classifyError, handshake, timeoutMs },
      deadlineMs: timeoutMs,
    });
  const rpc = open();
  try {
    await askHead(rpc);
    const startedMs = clock.now().getTime();
    const head = await askHead(rpc);
    const latencyMs = Math.max(0, clock.now().getTime() - startedMs);
    const refuses: string[] = [];
    // One at a time and each on its own: many endpoints limit the rate of calls, and a refusal must not colour the next answer.
    for (const { name, ask } of questions)
      if (!(await succeeds(open(), (session) => ask(session, head)))) refuses.push(name);
    return { head, latencyMs, refuses };
  } finally {
    rpc.close();
    outbound.close();
  }
}

/** Asks once: a refusal is the answer. */
async function succeeds(rpc: Rpc, ask: (session: Session) => Promise<unknown>): Promise<boolean> {
  const answers = await rpc.survey(ask).finally(() => rpc.close());
  return answers.length > 0;
}
