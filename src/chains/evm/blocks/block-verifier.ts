import type { Block, Log } from "../../block.ts";
import type { BlockRef } from "../../reader.ts";
import { EndpointFailure } from "../../rpc/failure.ts";
import { makeQuorum } from "../heads/quorum.ts";
import type { Raw } from "../values/raw.ts";
import { isTrivialBloom } from "./bloom.ts";
import { compareBloom } from "./bloom-of-logs.ts";
import { type Header, readBlockRef } from "./header.ts";
import { headerHash } from "./header-hash.ts";

/** Holds blocks against their headers, and knows how the headers of this chain are to be read. */
export type BlockVerifier = {
  /** Throws an EndpointFailure that says what does not fit. */
  accept(header: Header, block: Block, endpoint: number): void;
  /** The same for a block of which only the header was asked for. */
  acceptRef(value: unknown, endpoint: number): BlockRef;
  /** Whether the header tells a list of logs that lacks some from one that is whole. */
  canVerifyLogs(header: Header): boolean;
  /** Throws when a receipt's own filter tells of logs that are not in it, which says more than the filter of the block. */
  acceptReceipt(receipt: Raw, logs: readonly Log[]): void;
  mayHaveGaps: boolean;
};

/** Their headers carry no filter. */
const withoutBloom = new Set(["zksync", "abstract"]);
/** Their system transactions leave logs that no filter tells of. */
const withLogsBeyondBloom = new Set(["polygon", "polygon-amoy"]);
/** Their nodes count logs that they do not show. */
const withLogGaps = new Set(["sei"]);

export function makeBlockVerifier(chain: string): BlockVerifier {
  const quorum = makeQuorum();
  let isBloomless = withoutBloom.has(chain);
  /** Whether this chain hashes headers as Ethereum does, which one header that fits is proof of. */
  let hashing: "unknown" | "as_ethereum" | "its_own" = "unknown";

  function acceptHash(raw: Raw, ref: BlockRef, endpoint: number): void {
    if (headerHash(raw) === ref.hash) hashing = "as_ethereum";
    else if (hashing === "its_own") return;
    else if (quorum.reached({ hash: ref.hash, parent: ref.parent_hash, time: ref.time }, endpoint)) {
      hashing = "its_own";
    } else throw new UnverifiableHeader();
  }

  function acceptLogs({ logs_bloom }: Header, logs: readonly Log[]): void {
    if (isBloomless || isUnusable(logs_bloom)) return;
    const verdict = compareBloom(logs_bloom, logs);
    if (verdict === "logs_missing") throw inconsistent("left out logs that the header tells of");
    if (verdict === "logs_beyond" && !withLogsBeyondBloom.has(chain)) throw new LogsBeyondBloom();
  }

  return {
    mayHaveGaps: withLogGaps.has(chain),
    canVerifyLogs: ({ logs_bloom }) => !isBloomless && !isUnusable(logs_bloom),
    acceptReceipt({ logsBloom }, logs) {
      // Elsewhere than on chains like Ethereum, who knows what the field means.
      if (typeof logsBloom !== "string" || hashing !== "as_ethereum" || isUnusable(logsBloom)) return;
      if (compareBloom(logsBloom, logs) === "logs_missing") throw inconsistent("left out logs of a receipt");
    },
    acceptRef(value, endpoint) {
      const ref = readBlockRef(value);
      acceptHash(value as Raw, ref, endpoint);
      return ref;
    },
    accept(header, block, endpoint) {
      acceptHash(header.raw, header, endpoint);
      try {
        acceptLogs(header, block.logs);
      } catch (error) {
        if (!(error instanceof LogsBeyondBloom) || !quorum.reached(block, endpoint)) throw error;
        isBloomless ||= hashing === "its_own" && isEmpty(header.logs_bloom);
      }
    },
  };
}

/** A header that does not give its hash. Asking for the same block again tells a fault from a chain that hashes its own way. */
export class UnverifiableHeader extends EndpointFailure {
  constructor() {
    super("inconsistent", "sent a header that does not give its hash");
  }
}

/** There are logs that the header does not tell of. */
class LogsBeyondBloom extends EndpointFailure {
  constructor() {
    super("inconsistent", "sent logs that the header does not tell of");
  }
}

function isEmpty(logsBloom: string): boolean {
  return /^0x0{512}$/.test(logsBloom);
}

/** Whether every bit is set, as where no filter is kept, or there is none. */
function isUnusable(logsBloom: string): boolean {
  return isTrivialBloom(logsBloom) && !isEmpty(logsBloom);
}

function inconsistent(what: string): EndpointFailure {
  return new EndpointFailure("inconsistent", what);
}
