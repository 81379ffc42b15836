import type { Group, Operation } from "../operation.ts";
import { administration } from "./admin.ts";
import { alertGroup } from "./alerts.ts";
import { auditLog } from "./audit-log.ts";
import { authentication } from "./auth.ts";
import { chainGroup } from "./chains.ts";
import { contractGroup } from "./contracts.ts";
import { invitations } from "./invites.ts";
import { organisations } from "./orgs.ts";
import { signupApprovals } from "./signup-approvals.ts";
import { statusGroup } from "./status.ts";
import { targetGroup } from "./targets.ts";

/** What the public description shows, in its order. */
export const publicGroups: Group[] = [
  statusGroup,
  authentication,
  signupApprovals,
  organisations,
  invitations,
  chainGroup,
  contractGroup,
  targetGroup,
  alertGroup,
  auditLog,
];

/** Every operation that the server answers. */
export const operations: Operation[] = [...publicGroups, administration].flatMap((group) => group.operations);
