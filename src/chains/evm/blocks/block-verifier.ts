import type { Clock } from "../../../lib/clock.ts";
import type { Block, Log } from "../../block.ts";
import type { Chain } from "../../chain.ts";
import type { BlockRef } from "../../reader.ts";
import { EndpointFailure } from "../../rpc/failure.ts";
import { digest, makeQuorum } from "../heads/quorum.ts";
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
  acceptReceipt(header: Header, receipt: Raw, logs: readonly Log[], endpoint: number): void;
  /** Decides when data that fails a check is accepted all the same. */
  tolerance: Tolerance;
};

export function makeBlockVerifier({ quirks }: Pick<Chain, "quirks">, clock: Clock): BlockVerifier {
  const quorum = makeQuorum();
  const tolerance = new Tolerance(quirks, clock);
  let isBloomless = quirks.includes("no_bloom");
  const hasOwnHash = quirks.includes("own_header_hash");
  /**
   * The hash function of headers on this chain; one matching header proves that it is the one of Ethereum. On a chain that is
   * known for another one, a match proves nothing: what differs may be absent from a block.
   */
  let hashing: "unknown" | "like_ethereum" | "different" = hasOwnHash ? "different" : "unknown";

  function acceptHash(raw: Raw, ref: BlockRef, endpoint: number): void {
    if (headerHash(raw) === ref.hash) {
      if (!hasOwnHash) hashing = "like_ethereum";
      return;
    }
    const claim = { hash: ref.hash, parent: ref.parent_hash, time: ref.time };
    if (hashing !== "different" && !quorum.reached(claim, endpoint)) throw new UnverifiableHeader();
    hashing = "different";
    tolerance.accept("own_header_hash", ref, endpoint);
  }

  function acceptLogs(header: Header, block: Block, endpoint: number): void {
    const { logs_bloom } = header;
    const { logs } = block;
    if (isUnusable(logs_bloom)) return;
    if (isBloomless) {
      if (logs.length > 0) tolerance.accept("logs_beyond_bloom", header, endpoint);
      return;
    }
    const verdict = compareBloom(logs_bloom, logs);
    if (verdict === "logs_missing" && !tolerance.allows("missing_logs", header, logs.length, endpoint))
      throw inconsistent("omitted logs that are in the bloom filter of the header");
    if (verdict === "logs_beyond" && !quirks.includes("logs_beyond_bloom"))
      acceptLogsBeyond(header, block, endpoint);
  }

  function acceptLogsBeyond(header: Header, block: Block, endpoint: number): void {
    const claim = digest(block.logs);
    if (!quorum.reached(block, endpoint) && !tolerance.allows("logs_beyond_bloom", header, claim, endpoint))
      throw inconsistent("returned logs that are not in the bloom filter of the header");
    tolerance.accept("logs_beyond_bloom", header, endpoint);
    isBloomless ||= hashing === "different" && isEmpty(header.logs_bloom);
  }

  return {
    tolerance,
    canVerifyLogs: ({ logs_bloom }) => !isBloomless && !isUnusable(logs_bloom),
    acceptReceipt(header, { logsBloom, transactionHash }, logs, endpoint) {
      // On a chain that differs from Ethereum, the field may have another meaning.
      if (typeof logsBloom !== "string" || hashing !== "like_ethereum" || isUnusable(logsBloom)) return;
      const isMissing = compareBloom(logsBloom, logs) === "logs_missing";
      const claim = [transactionHash, logs.length];
      if (isMissing && !tolerance.allows("missing_logs", header, claim, endpoint))
        throw inconsistent("omitted logs of a receipt");
    },
    acceptRef(value, endpoint) {
      const ref = readBlockRef(value);
      acceptHash(value as Raw, ref, endpoint);
      return ref;
    },
    accept(header, block, endpoint) {
      acceptHash(header.raw, header, endpoint);
      acceptLogs(header, block, endpoint);
    },
  };
}

/** A header that does not match its hash: a fault, or a chain that hashes differently. Fetching it again shows which. */
export class UnverifiableHeader extends EndpointFailure {
  constructor() {
    super("inconsistent", "returned a header that does not match its hash");
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
