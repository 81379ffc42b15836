// Generated from the migrated schema by `npm run generate:tables`. Do not edit.

import type { ArrayType, Generated, Json } from "../column-types.ts";

export interface WalletDiscovery {
  attempts: Generated<number>;
  chain_ids: ArrayType<string>;
  completed_at: Date | null;
  created_at: Date;
  created_by: string | null;
  deleted_at: Date | null;
  error: string | null;
  id: string;
  is_cached: Generated<boolean>;
  leased_until: Date | null;
  org_id: string;
  status: "pending" | "completed" | "partial" | "failed";
  wallet_address: string;
}

export interface WalletDiscoveryChain {
  chain_id: string;
  discovery_id: string;
  error: string | null;
  found: Generated<number>;
  results: Generated<Json>;
  status: "pending" | "completed" | "partial" | "failed";
}

export interface WalletFinding {
  chain_id: string;
  error: string | null;
  found_at: Date;
  results: Json;
  status: string;
  wallet_address: string;
}

export interface ImportsTables {
  wallet_discoveries: WalletDiscovery;
  wallet_discovery_chains: WalletDiscoveryChain;
  wallet_findings: WalletFinding;
}
