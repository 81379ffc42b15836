import type { Severity } from "../../lib/severity.ts";
/** What the analytics are made of. */
export type AnalyticsTables = {
  alert_hours: {
    org_id: string;
    hour: Date;
    contract_id: string | null;
    chain_id: string;
    target_type: string;
    severity: string;
    is_complete: boolean;
    total: string;
  };
  alert_hours_touched: { org_id: string; hour: Date };
  anomalies: {
    id: string;
    org_id: string;
    contract_id: string;
    chain_id: string;
    target_id: string;
    anomaly_type: string;
    severity: Severity;
    score: number;
    value: number;
    expected: number;
    at: Date;
    last_seen_at: Date;
  };
  anomaly_progress: { target_id: string; judged_until: Date; judged_at: Date };
};
