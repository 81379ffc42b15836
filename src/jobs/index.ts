import { applyPoliciesJob } from "./apply-policies.ts";
import { countAlerts } from "./count-alerts.ts";
import { deleteOldData } from "./delete-old-data.ts";
import { deleteOldRollups } from "./delete-old-rollups.ts";
import { discoverWallets } from "./discover-wallets.ts";
import { escalate } from "./escalate-alerts.ts";
import { findAnomalies } from "./find-anomalies.ts";
import { inspectContracts } from "./inspect-contracts.ts";
import type { Job } from "./job.ts";
import { markDisabledChainsJob } from "./mark-disabled-chains.ts";
import { measureQueues } from "./measure-queues.ts";
import { purgeExpired } from "./purge-expired.ts";
import { systemAlerts } from "./raise-system-alerts.ts";
import { retryPoliciesJob } from "./retry-policies.ts";
import { rollUp } from "./roll-up-samples.ts";
import { sendMail } from "./send-mail.ts";
import { sequenceStream } from "./sequence-stream.ts";
import { summariseMessages } from "./summarise-messages.ts";

/** Every job. */
export const jobs: Job[] = [
  sendMail,
  sequenceStream,
  countAlerts,
  escalate,
  findAnomalies,
  discoverWallets,
  purgeExpired,
  rollUp,
  deleteOldData,
  deleteOldRollups,
  systemAlerts,
  inspectContracts,
  retryPoliciesJob,
  applyPoliciesJob,
  markDisabledChainsJob,
  summariseMessages,
  measureQueues,
];
