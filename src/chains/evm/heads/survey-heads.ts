import type { Rpc } from "../../rpc/rpc.ts";
import type { BlockVerifier } from "../blocks/block-verifier.ts";
import { readBlockRef } from "../blocks/header.ts";
import { commonBranch } from "./common-branch.ts";
import { fetchHead, type ReportedHead, requestHeader } from "./fetch-head.ts";

/** An endpoint may lag this far behind the highest head before another one is followed. */
const maxLagBlocks = 2;
/** This far below their heads, endpoints that follow the same chain have the same block. */
const commonDepth = 3;

export type HeadSurvey = {
  /** The head to follow; undefined when no endpoint replied. */
  best: ReportedHead | undefined;
  /** The endpoints on another branch than the majority; undefined when too few replied to compare them. */
  dissenting: Set<number> | undefined;
};

/** Compares the heads of all endpoints. Stays with the endpoint that is followed while it keeps up. */
export async function surveyHeads(
  rpc: Rpc,
  verifier: BlockVerifier,
  followed: number | undefined,
): Promise<HeadSurvey> {
  const reported = await rpc.survey((session) => fetchHead(session, verifier));
  // Branches are compared before lag: beside a forged chain, the real one may seem to lag far behind.
  const { agreed, dissenting } = await compareBranches(rpc, reported, followed);
  const highest = Math.max(...agreed.map(({ ref }) => ref.height));
  const current = agreed.filter(({ ref }) => ref.height >= highest - maxLagBlocks);
  const best =
    current.find(({ endpoint }) => endpoint === followed) ??
    current.find(({ ref }) => ref.height === highest);
  return { best, dissenting };
}

/** A single endpoint may forge a chain, so it is followed only while no other endpoint shows a different one. */
async function compareBranches(
  rpc: Rpc,
  reported: ReportedHead[],
  followed: number | undefined,
): Promise<{ agreed: ReportedHead[]; dissenting: Set<number> | undefined }> {
  if (reported.length < 2) return { agreed: reported, dissenting: undefined };
  const height = Math.max(0, Math.min(...reported.map(({ ref }) => ref.height)) - commonDepth);
  const hashes = await rpc.survey(async (session) => {
    const { hash } = readBlockRef(await requestHeader(session, height));
    return [session.endpoint, hash] as const;
  });
  const hashOf = new Map(hashes);
  const heads = reported.map((head) => ({ ...head, commonHash: hashOf.get(head.endpoint) }));
  const { agreed, dissenting } = commonBranch(heads, followed);
  return { agreed, dissenting: new Set(dissenting) };
}
