import type { Group, Operation } from "../operation.ts";
import { administration } from "./accounts/admin.ts";
import { authentication } from "./accounts/auth.ts";
import { signupApprovals } from "./accounts/signup-approvals.ts";
import { alertTemplateGroup } from "./alerts/alert-templates.ts";
import { alertGroup } from "./alerts/alerts.ts";
import { policyGroup } from "./alerts/policies.ts";
import { silenceGroup } from "./alerts/silences.ts";
import { analyticsGroup } from "./analytics/analytics.ts";
import { dashboardGroup } from "./analytics/dashboard.ts";
import { statusGroup } from "./analytics/status.ts";
import { billingGroup } from "./billing/billing.ts";
import { channelGroup } from "./channels/channels.ts";
import { deliveryGroup } from "./channels/deliveries.ts";
import { inboxGroup } from "./channels/inbox.ts";
import { chainGroup } from "./contracts/chains.ts";
import { contractGroup } from "./contracts/contracts.ts";
import { demoGroup } from "./contracts/demo.ts";
import { targetGroup } from "./contracts/targets.ts";
import { configurationGroup } from "./imports/configuration.ts";
import { discoveryGroup } from "./imports/discoveries.ts";
import { inspectionGroup } from "./inspection/inspection.ts";
import { apiKeyGroup } from "./orgs/api-keys.ts";
import { auditLog } from "./orgs/audit-log.ts";
import { invitations } from "./orgs/invites.ts";
import { organisations } from "./orgs/orgs.ts";
import { webhookGroup } from "./webhooks.ts";

/** The groups in the public OpenAPI document, in its order. */
export const publicGroups: Group[] = [
  statusGroup,
  authentication,
  signupApprovals,
  organisations,
  invitations,
  apiKeyGroup,
  billingGroup,
  chainGroup,
  demoGroup,
  contractGroup,
  inspectionGroup,
  targetGroup,
  alertTemplateGroup,
  alertGroup,
  policyGroup,
  channelGroup,
  deliveryGroup,
  inboxGroup,
  silenceGroup,
  discoveryGroup,
  configurationGroup,
  dashboardGroup,
  analyticsGroup,
  webhookGroup,
  auditLog,
];

/** Every operation that the server mounts. */
export const operations: Operation[] = [...publicGroups, administration].flatMap((group) => group.operations);
