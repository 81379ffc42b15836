import { applyConfig } from "../../../domain/imports/configuration/apply.ts";
import { exportConfig } from "../../../domain/imports/configuration/export.ts";
import {
  ConfigApply,
  ConfigApplyQuery,
  ConfigDocument,
  ConfigPlan,
} from "../../../wire/imports/configuration.ts";
import { type Group, operation } from "../../operation.ts";

// The document covers the whole org, so a key restricted to some contracts may not use it.
const reader = { who: "org", org: "active", role: "viewer", keys: true } as const;

export const configurationGroup: Group = {
  tag: "Configuration",
  about: "Configuration of an organisation as one document, to be kept under version control.",
  operations: [
    operation({
      route: "GET /config",
      id: "exportConfig",
      hasLargeReply: true,
      summary: "Export the configuration",
      description:
        "Returns the channels, and the contracts that the caller can see with labels, targets and rules. Names replace ids, and " +
        "references replace secrets. The output is deterministic. ABIs and access grants are not included.",
      policy: reader,
      reply: ConfigDocument,
      handle: ({ app, caller }) => exportConfig(app, caller),
    }),

    operation({
      route: "POST /config/apply",
      id: "applyConfig",
      hasLargeReply: true,
      summary: "Apply a configuration",
      description:
        "Creates and updates items to match the document, in one transaction. Apply is idempotent, and applying an export changes " +
        "nothing. Omitted fields and lists keep their value; items missing from a list are deleted only with `prune`. Every change, " +
        "including deletions, needs write access to its contract. A document is rejected as a whole if the caller may not make one of its changes, " +
        "or if it is not applied within 30 seconds (503). The document can also be YAML, as `application/yaml`.",
      policy: { ...reader, role: "member" },
      query: ConfigApplyQuery,
      body: ConfigApply,
      acceptsYaml: true,
      limits: { bodyBytes: 5 * 1024 * 1024, bodyValues: 200_000, deadlineMs: 30_000 },
      reply: ConfigPlan,
      errors: ["role_required", "rate_limited"],
      handle: ({ app, caller, query, body }) => applyConfig(app, caller, body, query.dry_run),
    }),
  ],
};
