import { z } from "zod";
import { applyTemplates } from "../../../domain/alerts/templates/apply-templates.ts";
import { listTemplates } from "../../../domain/alerts/templates/list-templates.ts";
import {
  AlertTemplate,
  TemplateQuery,
  TemplatesApplied,
  TemplatesApply,
} from "../../../wire/alerts/alert-templates.ts";
import { type Group, operation } from "../../operation.ts";

const reader = { who: "org", org: "active", role: "viewer", keys: true, resource: "contract" } as const;

export const alertTemplateGroup: Group = {
  tag: "Alert templates",
  about: "Recommended rules by category of contract.",
  operations: [
    operation({
      route: "GET /contracts/{contract_id}/alert-templates",
      id: "listAlertTemplates",
      summary: "List templates for a contract",
      description:
        "Returns the templates of a category, or with `recommended` those that follow from what the contract is, and whether each applies, where its threshold comes from, " +
        "and how often it would have fired on the past of the contract.",
      policy: reader,
      query: TemplateQuery,
      reply: z.array(AlertTemplate),
      handle: ({ app, caller, params, query }) =>
        listTemplates(app, caller, params.contract_id, query.category),
    }),

    operation({
      route: "POST /contracts/{contract_id}/alert-templates/apply",
      id: "applyAlertTemplates",
      summary: "Apply alert templates",
      description:
        "Creates one rule per template, and its target if it does not exist. Skips templates, with a reason, that do not apply, " +
        "already have a rule for this channel, or exceed the quota. A rule that would have fired more than once a day on the past " +
        "of the contract is created in shadow mode, with the reason.",
      policy: { ...reader, role: "member" },
      body: TemplatesApply,
      reply: TemplatesApplied,
      handle: ({ app, caller, params, body }) => applyTemplates(app, caller, params.contract_id, body),
    }),
  ],
};
