import { createHash } from "node:crypto";
import type { Block, Log } from "../block.ts";
import { isTrivialBloom } from "./bloom.ts";
import { compareBloom } from "./bloom-of-logs.ts";
import type { Header } from "./header.ts";
import { headerHash } from "./header-hash.ts";
import { EndpointFailure } from "./rpc/failure.ts";

/** Holds blocks against their headers, and knows how the headers of this chain are to be read. */
export type BlockCheck = {
  /** The block, or an EndpointFailure that says what does not fit. */
  accept(header: Header, block: Block, endpoint: number): Block;
  /** Whether an empty list of logs can be told from a lie by the header alone. */
  canTrustEmpty(header: Header): boolean;
  mayHaveGaps: boolean;
};

/** Their headers carry no filter. */
const bloomless = new Set(["zksync", "abstract"]);
/** Their system transactions leave logs that no filter tells of. */
const beyondBloom = new Set(["polygon", "polygon-amoy"]);
/** Their nodes count logs that they do not show. */
const gappy = new Set(["sei"]);

export function makeBlockCheck(chain: string): BlockCheck {
  const agreement = makeAgreement();
  const isBloomless = bloomless.has(chain);
  let isHashKnown = false;

  /** Whether the header gives the hash it claims; the first time it does proves that this chain hashes as Ethereum. */
  function hashFits(header: Header): boolean {
    const fits = headerHash(header.raw) === header.hash;
    isHashKnown ||= fits;
    return fits || !isHashKnown;
  }

  function doubt(header: Header, logs: readonly Log[]): string | undefined {
    if (!hashFits(header)) return "sent a header that does not give its hash";
    if (isBloomless || isFilled(header.logs_bloom)) return undefined;
    const verdict = compareBloom(header.logs_bloom, logs);
    if (verdict === "logs_missing") throw inconsistent("left out logs that the header tells of");
    const isFine = verdict === "equal" || beyondBloom.has(chain);
    return isFine ? undefined : "sent logs that the header does not tell of";
  }

  return {
    mayHaveGaps: gappy.has(chain),
    canTrustEmpty: (header) => !isBloomless && !isFilled(header.logs_bloom),
    accept(header, block, endpoint) {
      const problem = doubt(header, block.logs);
      if (problem && !agreement.reached(block, endpoint)) throw inconsistent(problem);
      // A header that several hold up against our formula means that the chain has a new one.
      if (problem) isHashKnown = false;
      return block;
    },
  };
}

/** Whether every bit is set, which some nodes do who keep no filter, or the filter is none. */
function isFilled(logsBloom: string): boolean {
  return isTrivialBloom(logsBloom) && !/^0x0{512}$/.test(logsBloom);
}

function inconsistent(what: string): EndpointFailure {
  return new EndpointFailure("inconsistent", what);
}

/**
 * Chains have oddities that nobody foresaw. A block that breaks a rule without being impossible is believed when another
 * endpoint sends the very same, or one endpoint sends it three times: faults do not repeat to the letter.
 */
function makeAgreement() {
  const claims = new Map<string, number[]>();
  return {
    reached(block: Block, endpoint: number): boolean {
      const key = digest(block);
      const endpoints = [...(claims.get(key) ?? []), endpoint].slice(-3);
      claims.set(key, endpoints);
      if (claims.size > 500) claims.delete(claims.keys().next().value ?? "");
      return new Set(endpoints).size > 1 || endpoints.length >= 3;
    },
  };
}

function digest(block: Block): string {
  const text = JSON.stringify(block, (_, value) => (typeof value === "bigint" ? String(value) : value));
  return createHash("sha256").update(text).digest("base64");
}
