import type { Group, Operation } from "../operation.ts";
import { administration } from "./admin.ts";
import { alertTemplateGroup } from "./alert-templates.ts";
import { alertGroup } from "./alerts.ts";
import { analyticsGroup } from "./analytics.ts";
import { apiKeyGroup } from "./api-keys.ts";
import { auditLog } from "./audit-log.ts";
import { authentication } from "./auth.ts";
import { billingGroup } from "./billing.ts";
import { chainGroup } from "./chains.ts";
import { channelGroup } from "./channels.ts";
import { configurationGroup } from "./configuration.ts";
import { contractGroup } from "./contracts.ts";
import { dashboardGroup } from "./dashboard.ts";
import { deliveryGroup } from "./deliveries.ts";
import { discoveryGroup } from "./discoveries.ts";
import { inspectionGroup } from "./inspection.ts";
import { invitations } from "./invites.ts";
import { organisations } from "./orgs.ts";
import { signupApprovals } from "./signup-approvals.ts";
import { silenceGroup } from "./silences.ts";
import { statusGroup } from "./status.ts";
import { targetGroup } from "./targets.ts";
import { webhookGroup } from "./webhooks.ts";

/** What the public description shows, in its order. */
export const publicGroups: Group[] = [
  statusGroup,
  authentication,
  signupApprovals,
  organisations,
  invitations,
  apiKeyGroup,
  billingGroup,
  chainGroup,
  contractGroup,
  inspectionGroup,
  targetGroup,
  alertTemplateGroup,
  alertGroup,
  channelGroup,
  deliveryGroup,
  silenceGroup,
  discoveryGroup,
  configurationGroup,
  dashboardGroup,
  analyticsGroup,
  webhookGroup,
  auditLog,
];

/** Every operation that the server answers. */
export const operations: Operation[] = [...publicGroups, administration].flatMap((group) => group.operations);
