import { z } from "zod";
import { applyTemplates, listTemplates } from "../../../domain/alerts/alert-templates.ts";
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
  about: "Rules worth having, by what a contract is.",
  operations: [
    operation({
      route: "GET /contracts/{contract_id}/alert-templates",
      id: "listAlertTemplates",
      summary: "List templates for a contract",
      description: "Those of a category, each with whether it works on this contract and why not.",
      policy: reader,
      query: TemplateQuery,
      reply: z.array(AlertTemplate),
      handle: ({ app, caller, params, query }) =>
        listTemplates(app, caller, params.contract_id, query.category),
    }),

    operation({
      route: "POST /contracts/{contract_id}/alert-templates/apply",
      id: "applyAlertTemplates",
      summary: "Make rules from templates",
      description:
        "For each template the target is found or made, then the rule. Templates that cannot work on the contract, have " +
        "their rule for this channel already, or do not fit into the quota are skipped with a reason.",
      policy: { ...reader, role: "member" },
      body: TemplatesApply,
      reply: TemplatesApplied,
      handle: ({ app, caller, params, body }) => applyTemplates(app, caller, params.contract_id, body),
    }),
  ],
};
