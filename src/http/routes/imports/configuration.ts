import { applyConfig } from "../../../domain/imports/configuration/apply.ts";
import { exportConfig } from "../../../domain/imports/configuration/export.ts";
import {
  ConfigApply,
  ConfigApplyQuery,
  ConfigDocument,
  ConfigPlan,
} from "../../../wire/imports/configuration.ts";
import { type Group, operation } from "../../operation.ts";

// It is about the whole org, so that a key for some contracts may not.
const reader = { who: "org", org: "active", role: "viewer", keys: true } as const;

export const configurationGroup: Group = {
  tag: "Configuration",
  about: "What an organisation watches and tells as one document, to be kept with code.",
  operations: [
    operation({
      route: "GET /config",
      id: "exportConfig",
      summary: "Export the configuration",
      description:
        "Channels, and the contracts that the caller sees with their labels, targets and rules. Names stand for ids and references " +
        "for secrets. The document is the same whenever the organisation is. ABIs and who may see a contract are not part of it.",
      policy: reader,
      reply: ConfigDocument,
      handle: ({ app, caller }) => exportConfig(app, caller),
    }),

    operation({
      route: "POST /config/apply",
      id: "applyConfig",
      summary: "Apply a configuration",
      description:
        "Makes and changes what the document says, all or nothing; applying an export changes nothing. Fields and lists that are left " +
        "out are left alone. Things that are not in the document stay, unless `prune` is set.",
      policy: { ...reader, role: "member" },
      query: ConfigApplyQuery,
      body: ConfigApply,
      limits: { bodyBytes: 5 * 1024 * 1024, deadlineMs: 30_000 },
      reply: ConfigPlan,
      handle: ({ app, caller, query, body }) => applyConfig(app, caller, body, query.dry_run),
    }),
  ],
};
