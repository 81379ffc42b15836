import { z } from "zod";
import { listAudit } from "../../../domain/orgs/audit-log.ts";
import { AuditEntry, AuditQuery } from "../../../wire/orgs/audit-log.ts";
import { type Group, listOperation } from "../../operation.ts";

export const auditLog: Group = {
  tag: "Audit log",
  about: "Audited actions in an organisation. Entries are append-only.",
  operations: [
    listOperation({
      route: "GET /audit-log",
      id: "listAuditLog",
      hasLargeReply: true,
      summary: "List audit log entries",
      description:
        "Returns the audit log of the active organisation, newest first. Admins only. Refused requests are entries too: `api_key.scope_denied` " +
        "for the scope of a key, and `access.denied` for everything else, up to 100 per caller and hour.",
      policy: { who: "org", org: "active", role: "admin", keys: false },
      query: AuditQuery,
      reply: z.array(AuditEntry),
      list: ({ app, caller, query }) => listAudit(app, caller, query),
    }),
  ],
};
