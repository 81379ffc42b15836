import { z } from "zod";
import { listAudit } from "../../../domain/orgs/audit-log.ts";
import { AuditEntry, AuditQuery } from "../../../wire/orgs/audit-log.ts";
import { type Group, operation } from "../../operation.ts";

export const auditLog: Group = {
  tag: "Audit log",
  about: "Who did what in an organisation. Entries can be neither changed nor removed.",
  operations: [
    operation({
      route: "GET /audit-log",
      id: "listAuditLog",
      summary: "Read the audit log",
      description: "Of the active organisation, newest first; for admins.",
      policy: { who: "org", org: "active", role: "admin", keys: false },
      query: AuditQuery,
      reply: z.array(AuditEntry),
      handle: ({ app, caller, query }) => listAudit(app, caller, query),
    }),
  ],
};
