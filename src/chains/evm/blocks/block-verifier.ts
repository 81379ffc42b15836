import type { Clock } from "../../../lib/clock.ts";
import type { Block, Log } from "../../block.ts";
import type { Chain } from "../../chain.ts";
import type { BlockRef } from "../../reader.ts";
import { EndpointFailure } from "../../rpc/failure.ts";
import { makeQuorum } from "../heads/quorum.ts";
import type { Raw } from "../values/raw.ts";
import { isTrivialBloom } from "./bloom.ts";
import { compareBloom } from "./bloom-of-logs.ts";
import { type Header, readBlockRef } from "./header.ts";
import { headerHash } from "./header-hash.ts";
import { Tolerance } from "./tolerance.ts";

/** Verifies blocks against their headers, with the exceptions of one chain. */
export type BlockVerifier = {
  /** Throws an EndpointFailure that names the inconsistency. */
  accept(header: Header, block: Block, endpoint: number): void;
  /** Verifies a block of which only the header was fetched. */
  acceptRef(value: unknown, endpoint: number): BlockRef;
  /** True if the bloom filter of the header can show that logs are missing. */
  canVerifyLogs(header: Header): boolean;
  /** Throws when logs of a receipt are missing according to its own bloom filter, which is more precise than the block's. */
  acceptReceipt(receipt: Raw, logs: readonly Log[]): void;
  /** Decides when data that fails a check is accepted all the same. */
  tolerance: Tolerance;
};

export function makeBlockVerifier({ quirks }: Pick<Chain, "quirks">, clock: Clock): BlockVerifier {
  const quorum = makeQuorum();
  const tolerance = new Tolerance(quirks, clock);
  let isBloomless = quirks.includes("no_bloom");
  /** The hash function of headers on this chain; one matching header proves that it is the one of Ethereum. */
  let hashing: "unknown" | "like_ethereum" | "different" = "unknown";

  function acceptHash(raw: Raw, ref: BlockRef, endpoint: number): void {
    if (headerHash(raw) === ref.hash) hashing = "like_ethereum";
    else if (hashing === "different") return;
    else if (quorum.reached({ hash: ref.hash, parent: ref.parent_hash, time: ref.time }, endpoint)) {
      hashing = "different";
    } else throw new UnverifiableHeader();
  }

  function acceptLogs(header: Header, logs: readonly Log[], endpoint: number): void {
    const { logs_bloom } = header;
    if (isBloomless || isUnusable(logs_bloom)) return;
    const verdict = compareBloom(logs_bloom, logs);
    if (verdict === "logs_missing" && !tolerance.allows("missing_logs", header, logs.length, endpoint))
      throw inconsistent("omitted logs that are in the bloom filter of the header");
    if (verdict === "logs_beyond" && !quirks.includes("logs_beyond_bloom")) throw new LogsBeyondBloom();
  }

  return {
    tolerance,
    canVerifyLogs: ({ logs_bloom }) => !isBloomless && !isUnusable(logs_bloom),
    acceptReceipt({ logsBloom }, logs) {
      // On a chain that differs from Ethereum, the field may have another meaning.
      if (typeof logsBloom !== "string" || hashing !== "like_ethereum" || isUnusable(logsBloom)) return;
      if (compareBloom(logsBloom, logs) === "logs_missing") throw inconsistent("omitted logs of a receipt");
    },
    acceptRef(value, endpoint) {
      const ref = readBlockRef(value);
      acceptHash(value as Raw, ref, endpoint);
      return ref;
    },
    accept(header, block, endpoint) {
      acceptHash(header.raw, header, endpoint);
      try {
        acceptLogs(header, block.logs, endpoint);
      } catch (error) {
        if (!(error instanceof LogsBeyondBloom) || !quorum.reached(block, endpoint)) throw error;
        isBloomless ||= hashing === "different" && isEmpty(header.logs_bloom);
      }
    },
  };
}

/** A header that does not match its hash: a fault, or a chain that hashes differently. Fetching it again shows which. */
export class UnverifiableHeader extends EndpointFailure {
  constructor() {
    super("inconsistent", "returned a header that does not match its hash");
  }
}

/** The block has logs that are not in the bloom filter of its header. */
class LogsBeyondBloom extends EndpointFailure {
  constructor() {
    super("inconsistent", "returned logs that are not in the bloom filter of the header");
  }
}

function isEmpty(logsBloom: string): boolean {
  return /^0x0{512}$/.test(logsBloom);
}

/** True if the filter is malformed or has every bit set, as on chains that do not maintain it. */
function isUnusable(logsBloom: string): boolean {
  return isTrivialBloom(logsBloom) && !isEmpty(logsBloom);
}

function inconsistent(what: string): EndpointFailure {
  return new EndpointFailure("inconsistent", what);
}
