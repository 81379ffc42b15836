import { appendFile, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { z } from "zod";
import { incidentNames } from "../story/incidents.ts";
import { DemoChain, type Origin, type SavedChain, type Step } from "./chain.ts";

const stepLine = z.strictObject({
  height: z.int(),
  time: z.int(),
  branch: z.int(),
  isReplaced: z.literal(true).optional(),
  request: z.enum(incidentNames).optional(),
});

/**
 * The files of the chain: a snapshot of it, and the steps after it, one line each. A step makes the same block again, so that
 * the chain goes on where it stopped, however it stopped.
 */
export class ChainStore {
  private readonly folder: string;
  private writing: Promise<void> = Promise.resolve();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Opens the chain of the folder; undefined if there is none, or none that this version can read. */
  async load(): Promise<DemoChain | undefined> {
    const saved = await this.readSnapshot();
    if (!saved) return undefined;
    const chain = await DemoChain.open(saved.origin, saved);
    for (const { height, ...step } of await this.readSteps()) {
      const next = chain.head.height + (step.isReplaced ? 0 : 1);
      if (height === next) await chain.advance(step as Step);
    }
    return chain;
  }

  /** Records a step. Steps and snapshots are written in order. */
  add(height: number, step: Step): Promise<void> {
    return this.enqueue(() => appendFile(this.stepsFile, `${JSON.stringify({ height, ...step })}\n`));
  }

  /** Saves the whole chain. Steps before it are then ignored, because their heights are too low, and removed. */
  save(chain: DemoChain): Promise<void> {
    const snapshot = serialize({ format, ...chain.save() });
    return this.enqueue(async () => {
      await mkdir(this.folder, { recursive: true });
      await writeFile(`${this.snapshotFile}.new`, snapshot);
      await rename(`${this.snapshotFile}.new`, this.snapshotFile);
      await writeFile(this.stepsFile, "");
    });
  }

  private async readSnapshot(): Promise<(SavedChain & { origin: Origin }) | undefined> {
    const bytes = await readFile(this.snapshotFile).catch(() => undefined);
    if (!bytes) return undefined;
    try {
      const saved = deserialize(bytes) as SavedChain & { format: number };
      return saved.format === format ? saved : undefined;
    } catch {
      return undefined;
    }
  }

  /** The steps after the snapshot. The last line may be cut off. */
  private async readSteps(): Promise<z.infer<typeof stepLine>[]> {
    const text = await readFile(this.stepsFile, "utf8").catch(() => "");
    return text.split("\n").flatMap((line) => {
      try {
        return [stepLine.parse(JSON.parse(line))];
      } catch {
        return [];
      }
    });
  }

  private enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.writing.then(work);
    this.writing = done.catch(() => undefined);
    return done;
  }

  private get snapshotFile(): string {
    return join(this.folder, "chain");
  }

  private get stepsFile(): string {
    return join(this.folder, "steps");
  }
}

/**
 * Changes with the contracts, so that a chain of another version is not continued. After a change of the story alone, the steps
 * since the last snapshot make other blocks, which the engine reads as a reorg.
 */
const format = 1;
