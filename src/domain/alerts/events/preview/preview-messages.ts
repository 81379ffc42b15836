import { type App, newId } from "../../../../app.ts";
import type { Message } from "../../../../channels/channel.ts";
import { channels } from "../../../../channels/index.ts";
import { InvalidRequest } from "../../../../errors/app-error.ts";
import { compileRule, toReading, type WatchedRule } from "../../../../pipeline/index.ts";
import { listRecentSamples } from "../../../../store/engine/samples.ts";
import { findOrg } from "../../../../store/orgs/orgs.ts";
import type { MessagePreviews, PreviewRequest } from "../../../../wire/alerts/message-preview.ts";
import type { OrgCaller } from "../../../caller.ts";
import { ruleIssues } from "../../rule-issues.ts";
import { loadSubject, loadWatchedTarget, noSuchTarget, unstoredRule } from "../../rule-subject.ts";
import { withWindow } from "../../unit-issues.ts";
import { exampleAlert } from "./example-alert.ts";

/** Returns what an alert of a rule, which need not be stored, would send to each type of channel. */
export async function previewMessages(
  app: App,
  caller: OrgCaller,
  input: PreviewRequest,
): Promise<MessagePreviews> {
  const rule = await compileInput(app, caller, input);
  const [row] = await listRecentSamples(app.db, [rule.target.series_id], { after: 0, limit: 1 });
  const reading = row && toReading(row);
  const now = app.clock.now();
  const org = { id: caller.org_id, name: (await findOrg(app.db, caller.org_id))?.name ?? "" };
  const message: Message = {
    id: newId(app),
    kind: "fired",
    at: now,
    org,
    severity: rule.severity,
    alerts: [await exampleAlert(app, rule, reading)],
  };
  return {
    uses_reading: reading !== undefined,
    messages: channels.map((channel) => ({
      channel_type: channel.type,
      channel_title: channel.title,
      ...channel.preview(message),
    })),
  };
}

/** Checks the rule as when it is saved, so that a preview never shows a message that could not be sent. */
async function compileInput(app: App, caller: OrgCaller, input: PreviewRequest): Promise<WatchedRule> {
  const { target_id, severity, name, message_template = null } = input;
  const { target, contract } = await loadWatchedTarget(app, caller, target_id);
  const subject = await loadSubject(app, app.db, caller.org_id, contract.id);
  const issues = ruleIssues(
    { condition: input.condition, message_template },
    { ...target, subject, siblings: contract.targets },
  );
  if (issues.length > 0) throw new InvalidRequest(issues);
  const condition = withWindow(input.condition, target.meter, subject);
  const given = { target_id, condition, severity, message_template, name: name ?? target.meter.title };
  const rule = compileRule(target, unstoredRule(given, app.clock.now().toISOString()));
  if (!rule) throw noSuchTarget();
  return rule;
}
