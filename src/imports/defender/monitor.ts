import type { Severity } from "../../lib/severity.ts";

/** A part of a monitor that could not be imported unchanged. */
export type Warning = { code: WarningCode; message: string };

export type WarningCode =
  | "unsupported_feature"
  | "expression_unparsed"
  | "expression_changed"
  | "invalid_signature"
  | "unknown_name"
  | "invalid_abi"
  | "channel_unresolved"
  | "no_channels"
  | "template_variable"
  | "value_clamped";

/** A notification channel in an export. */
export type ChannelRef = {
  /** The id, else the name. A request refers to the channel by it to select a replacement. */
  ref: string;
  name: string | null;
  /** Null if the export contains only a reference. */
  type: string | null;
  config: Record<string, unknown> | null;
  isPaused: boolean;
};

export type Clause = { signature: string; expression: string | null };

/** The transactions that a monitor matches. */
export type Filter = {
  status: "any" | "success" | "failed";
  expression: string | null;
  events: Clause[];
  functions: Clause[];
};

/** An address with the ABI of the export, which `readExport` has checked. */
export type MonitoredAddress = { address: string; abi?: unknown; abiWarnings?: Warning[] };

/** A monitor of another product, independent of the export format. */
export type Monitor = {
  /** The id in the export. */
  source_id: string;
  name: string;
  /** The network name in the export. */
  network: string;
  contracts: MonitoredAddress[];
  /** One filter for each distinct transaction condition. */
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

/** A monitor that cannot be imported. */
export type UnreadableMonitor = { index: number; source_id: string | null; code: string; message: string };

export type ReadExport = { monitors: Monitor[]; errors: UnreadableMonitor[] };

/** The maximum number of addresses in an export, summed over its monitors. */
export const maxAddresses = 5_000;

/** Thrown before the product of networks and addresses grows too large. */
export class ExportTooLarge extends Error {
  constructor() {
    super(`An export may contain at most ${maxAddresses} addresses.`);
  }
}
