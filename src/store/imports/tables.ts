import type { ColumnType, Generated } from "kysely";

type Status = "pending" | "completed" | "partial" | "failed";
type Json<T> = ColumnType<T, string, string>;

/** Looking for the contracts that a wallet has to do with. */
export type DiscoveryTables = {
  wallet_discoveries: {
    id: string;
    org_id: string;
    wallet_address: string;
    chain_ids: string[];
    status: Status;
    is_cached: Generated<boolean>;
    error: string | null;
    leased_until: Date | null;
    attempts: Generated<number>;
    created_by: string | null;
    created_at: Date;
    completed_at: Date | null;
  };
  wallet_discovery_chains: {
    discovery_id: string;
    chain_id: string;
    status: Status;
    found: Generated<number>;
    error: string | null;
    results: Json<unknown>;
  };
  wallet_findings: {
    chain_id: string;
    wallet_address: string;
    status: string;
    error: string | null;
    results: Json<unknown>;
    found_at: Date;
  };
};
