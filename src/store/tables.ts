import type { AccountsTables } from "./accounts/tables.ts";
import type { AlertsTables } from "./alerts/tables.ts";
import type { AnalyticsTables } from "./analytics/tables.ts";
import type { BillingTables } from "./billing/tables.ts";
import type { ChannelsTables } from "./channels/tables.ts";
import type { ContractsTables } from "./contracts/tables.ts";
import type { DeliveryTables } from "./delivery/tables.ts";
import type { EngineTables } from "./engine/tables.ts";
import type { ImportsTables } from "./imports/tables.ts";
import type { OrgsTables } from "./orgs/tables.ts";
import type { SecretsTables } from "./secrets/tables.ts";

/** Every table of the migrated schema. Column names are the names on the wire. */
export type Database = AccountsTables &
  AlertsTables &
  AnalyticsTables &
  BillingTables &
  ChannelsTables &
  ContractsTables &
  DeliveryTables &
  EngineTables &
  ImportsTables &
  OrgsTables &
  SecretsTables;
