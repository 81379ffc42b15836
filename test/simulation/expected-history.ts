import type { Block } from "../../src/chains/block.ts";
import { type Episode, episodesOf, hitsOf, otherHits, type PlainRule } from "../pipeline/oracle.ts";

/** What a user set for a rule, and the height above which the engine evaluated it. */
type Version = { number: number; rule: PlainRule; isMatching: boolean; start: number | undefined };

type DatedEpisode = Episode & { height: number };

/** What one engine observed in a committed batch. */
export type CommittedBatch = {
  /** Blocks above this height were rolled back. */
  parent: number;
  blocks: Block[];
  isMonitored(contract_id: string): boolean;
  /** The version of a rule that the engine evaluated. */
  versionOf(rule_id: string): number | undefined;
};

/**
 * Computes what the store must hold from the committed batches, the canonical chain and the changes by the user. It knows
 * which blocks were committed, but nothing of how they were evaluated.
 */
export class ExpectedHistory {
  /** The canonical blocks during which each contract was monitored. */
  readonly observed = new Map<string, Block[]>();
  private readonly versions = new Map<string, { contract_id: string; current: Version | undefined }>();
  /** Episodes of versions that are no longer current. Only a rollback can change them. */
  private ended: (DatedEpisode & { version: number })[] = [];

  addContract(contract_id: string): void {
    this.observed.set(contract_id, []);
  }

  /** Starts another version of a rule, or with undefined deletes it. */
  setRule(
    rule_id: string,
    contract_id: string,
    version: { number: number; rule: PlainRule; isMatching: boolean } | undefined,
  ): void {
    const { current } = this.versions.get(rule_id) ?? {};
    if (current)
      this.ended.push(
        ...this.currentEpisodes(rule_id).map((currentEpisode) => ({
          ...currentEpisode,
          version: current.number,
        })),
      );
    this.versions.set(rule_id, { contract_id, current: version && { ...version, start: undefined } });
  }

  commit({ parent, blocks, isMonitored, versionOf }: CommittedBatch): void {
    this.ended = this.ended.filter(({ height }) => height <= parent);
    for (const [contract_id, observed] of this.observed) {
      const kept = observed.filter(({ height }) => height <= parent);
      this.observed.set(contract_id, isMonitored(contract_id) ? [...kept, ...blocks] : kept);
    }
    for (const [rule_id, { current }] of this.versions) {
      if (current && versionOf(rule_id) === current.number)
        current.start = Math.min(current.start ?? parent, parent);
    }
  }

  /** The episodes of current versions, with the time at which each resolved, if it did. */
  currentEpisodes(rule_id: string): DatedEpisode[] {
    const { contract_id, current } = this.versions.get(rule_id) ?? {};
    if (!contract_id || current?.start === undefined) return [];
    const { rule, start, isMatching } = current;
    const observed = this.observed.get(contract_id) ?? [];
    const evaluated = observed.filter(({ height }) => height > start);
    // A rule that matches has samples of its own; any other shares those of its target.
    const hits = hitsOf(isMatching ? evaluated : observed, rule);
    return episodesOf(evaluated, rule, hits, otherHits(observed, rule));
  }

  /** The episodes of earlier versions that were not rolled back. */
  endedEpisodes(): (DatedEpisode & { version: number })[] {
    return this.ended;
  }

  currentVersion(rule_id: string): Version | undefined {
    return this.versions.get(rule_id)?.current;
  }

  get ruleIds(): string[] {
    return [...this.versions.keys()];
  }

  /** The blocks whose samples a rule or a target must have. */
  samplesOf(rule_id: string): ReturnType<typeof hitsOf> {
    const { contract_id, current } = this.versions.get(rule_id) ?? {};
    if (!contract_id || !current) return [];
    const { rule, start, isMatching } = current;
    const observed = this.observed.get(contract_id) ?? [];
    const since = isMatching ? (start ?? Number.POSITIVE_INFINITY) : 0;
    return hitsOf(
      observed.filter(({ height }) => height > since),
      rule,
    );
  }
}
