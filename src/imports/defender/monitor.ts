import type { Severity } from "../../lib/severity.ts";
/** Something that could not be taken over as it was, said so that nobody has to find out. */
export type Warning = { code: WarningCode; message: string };

export type WarningCode =
  | "unsupported_feature"
  | "expression_unparsed"
  | "expression_changed"
  | "invalid_signature"
  | "invalid_abi"
  | "channel_unresolved"
  | "no_channels"
  | "template_variable"
  | "value_clamped";

/** Where a monitor told people, as its export has it. */
export type ChannelRef = {
  /** By which a request can name the channel to use instead: an id, else a name. */
  ref: string;
  name: string | null;
  /** Null when the export only names it. */
  type: string | null;
  config: Record<string, unknown> | null;
  isPaused: boolean;
};

export type Clause = { signature: string; expression: string | null };

/** Which transactions a monitor counts. */
export type Filter = {
  status: "any" | "success" | "failed";
  expression: string | null;
  events: Clause[];
  functions: Clause[];
};

/** A monitor of another product, whatever the shape of its export. */
export type Monitor = {
  /** What it is called there, for finding it again. */
  source_id: string;
  name: string;
  /** As the export spells it. */
  network: string;
  contracts: { address: string; abi: unknown }[];
  /** Several where conditions on the transaction differ. */
  filters: Filter[];
  threshold: { amount: number; window_seconds: number } | null;
  cooldown_seconds: number;
  severity: Severity;
  confirmations: number | "safe" | "finalized" | null;
  isPaused: boolean;
  message: string | null;
  channels: ChannelRef[];
  risk: string | null;
  warnings: Warning[];
};

/** A monitor that cannot be read at all. */
export type UnreadableMonitor = { index: number; source_id: string | null; code: string; message: string };

export type ReadExport = { monitors: Monitor[]; errors: UnreadableMonitor[] };

/** The most addresses that an export may name, each of its monitors' counted. */
export const maxAddresses = 5_000;

/** Thrown where reading on would make far more of an export than it is. */
export class ExportTooLarge extends Error {
  constructor() {
    super(`An export may name at most ${maxAddresses} addresses.`);
  }
}
