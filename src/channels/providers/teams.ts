import { channel, type Message, type Verdict } from "../channel.ts";
import { colourOf } from "../message/colour.ts";
import { limitSize, messageText, moreLine, type Part } from "../message/message-text.ts";
import { cut, unlinked } from "../message/plain-text.ts";
import { textPreview } from "../message/preview.ts";
import { jsonHeaders, post } from "../sending/post.ts";
import { defaultVerdict, objectOf, type ProviderReply, textOf } from "../sending/provider-reply.ts";
import { secretsInUrl } from "../sending/scrub.ts";
import { type WebhookUrlConfig, webhookUrlConfig } from "../sending/webhook-url.ts";

/** A Microsoft Teams channel or chat, through a workflow with a webhook trigger. */
export const teams = channel<WebhookUrlConfig>({
  type: "teams",
  title: "Microsoft Teams",
  config: webhookUrlConfig(
    "https://prod-00.westus.logic.azure.com/workflows/XXXX/triggers/manual/paths/invoke?sig=XXXX",
    "The URL of a workflow: in Teams, Workflows, Post to a channel when a webhook request is received.",
  ),
  secrets: ["webhook_url"],
  urls: ["webhook_url"],
  kinds: ["fired", "renotified", "escalated", "resolved", "retracted", "test"],
  groups: true,
  spacingMs: 1000,
  preview: (message) => textPreview(messageText(message, 20)),
  send: (message, { webhook_url }, deps) =>
    post(deps, {
      url: webhook_url,
      headers: jsonHeaders,
      body: JSON.stringify(teamsBody(message)),
      secrets: secretsInUrl(webhook_url),
      classifyReply,
    }),
});

/** Teams documents a limit of 28 KB, but drops cards above 21 KB. Up to 3 KB are for the parts around the alerts. */
const maxAlertBytes = 18_000;

export function teamsBody(message: Message) {
  const whole = messageText(message, 20);
  const content = limitSize(whole, maxAlertBytes, (part) =>
    Buffer.byteLength(JSON.stringify(partBlocks(part))),
  );
  const heading = { ...run(content.headline, 400), weight: "bolder", size: "large" };
  const card = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    msteams: { width: "Full" },
    body: [
      paragraph([{ ...heading, color: colourOf(message).card }]),
      ...content.parts.flatMap(partBlocks),
      ...(content.leftOut > 0 ? [paragraph([run(moreLine(content), 100)])] : []),
      paragraph([{ ...run(content.footer, 300), isSubtle: true, size: "small" }]),
    ],
    actions:
      content.url === null ? [] : [{ type: "Action.OpenUrl", title: "Open the event", url: content.url }],
  };
  const contentType = "application/vnd.microsoft.card.adaptive";
  return { type: "message", attachments: [{ contentType, contentUrl: null, content: card }] };
}

function partBlocks({ title, sentence, facts, url }: Part) {
  const heading = title === null ? [] : [{ ...run(title, 300), weight: "bolder", ...openUrl(url) }];
  return [
    ...(title === null ? [] : [paragraph(heading)]),
    paragraph([run(sentence, 1500)]),
    ...facts.map((fact) =>
      paragraph([
        { ...run(`${fact.name}: `, 60), weight: "bolder" },
        { ...run(fact.value, 1000), ...openUrl(fact.url) },
      ]),
    ),
  ];
}

/** A paragraph whose runs are shown verbatim; Teams would interpret a TextBlock or a fact as Markdown. */
function paragraph(inlines: object[]) {
  return { type: "RichTextBlock", inlines };
}

function run(text: string, max: number) {
  return { type: "TextRun", text: cut(neutralise(text), max) };
}

function openUrl(url: string | null) {
  return url === null ? {} : { selectAction: { type: "Action.OpenUrl", url } };
}

// Some clients interpret Markdown or tags here too, so links, mentions and tags are broken up.
function neutralise(text: string): string {
  return unlinked(text).replace(/\](?=\()|\](?=\[)|<|&(?=[#\w])/g, "$&\u2060");
}

const deadCodes =
  /^(WorkflowNotFound|WorkflowTriggerIsNotEnabled|DirectApi\w+|InvalidSignature|AuthorizationFailed)$/;

function classifyReply(reply: ProviderReply): Verdict {
  const { status, text, json } = reply;
  const code = textOf(objectOf(json.error).code);
  const details = /^\w{1,60}$/.test(code) ? code : "";
  if ([401, 403, 404, 410].includes(status) || deadCodes.test(code)) {
    const reason = `Teams no longer accepts messages at this URL (${details || status}).`;
    return { result: "failed", reason, isDead: true };
  }
  // Older connectors reply with 200 and put the real status into the text.
  const statusInText = /HTTP error (\d{3})/.exec(text)?.[1];
  return defaultVerdict({ ...reply, status: statusInText ? Number(statusInText) : status }, "Teams", details);
}
