import { channel, type Message, type Verdict } from "../channel.ts";
import { colourOf } from "../message/colour.ts";
import { messageText, moreLine, type Part, withinRoom } from "../message/message-text.ts";
import { cut, unlinked } from "../message/plain-text.ts";
import { jsonHeaders, post } from "../sending/post.ts";
import { defaultVerdict, objectOf, type ProviderReply, textOf } from "../sending/provider-reply.ts";
import { secretsInUrl } from "../sending/scrub.ts";
import { type WebhookUrlConfig, webhookUrlConfig } from "../sending/webhook-url.ts";

/** A Microsoft Teams channel or chat, through a workflow that posts what it is sent. */
export const teams = channel<WebhookUrlConfig>({
  type: "teams",
  title: "Microsoft Teams",
  config: webhookUrlConfig(
    "https://prod-00.westus.logic.azure.com/workflows/XXXX/triggers/manual/paths/invoke?sig=XXXX",
    "The URL of a workflow: in Teams, Workflows, Post to a channel when a webhook request is received.",
  ),
  secrets: ["webhook_url"],
  urls: ["webhook_url"],
  kinds: ["fired", "renotified", "resolved", "retracted", "test"],
  groups: true,
  spacingMs: 1000,
  send: (message, { webhook_url }, deps) =>
    post(deps, {
      url: webhook_url,
      headers: jsonHeaders,
      body: JSON.stringify(teamsBody(message)),
      secrets: secretsInUrl(webhook_url),
      classifyReply,
    }),
});

/** Teams takes 28 KB; in practice cards above 21 KB get lost. What is around the alarms takes up to 3. */
const roomBytes = 18_000;

export function teamsBody(message: Message) {
  const whole = messageText(message, 20);
  const story = withinRoom(whole, roomBytes, (part) => Buffer.byteLength(JSON.stringify(partBlocks(part))));
  const heading = { ...run(story.headline, 400), weight: "bolder", size: "large" };
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    msteams: { width: "Full" },
    body: [
      paragraph([{ ...heading, color: colourOf(message).card }]),
      ...story.parts.flatMap(partBlocks),
      ...(story.leftOut > 0 ? [paragraph([run(moreLine(story), 100)])] : []),
      paragraph([{ ...run(story.footer, 300), isSubtle: true, size: "small" }]),
    ],
    actions: story.url === null ? [] : [{ type: "Action.OpenUrl", title: "Open the event", url: story.url }],
  };
  const contentType = "application/vnd.microsoft.card.adaptive";
  return { type: "message", attachments: [{ contentType, contentUrl: null, content }] };
}

function partBlocks({ title, sentence, facts, url }: Part) {
  const heading = title === null ? [] : [{ ...run(title, 300), weight: "bolder", ...opening(url) }];
  return [
    ...(title === null ? [] : [paragraph(heading)]),
    paragraph([run(sentence, 1500)]),
    ...facts.map((fact) =>
      paragraph([
        { ...run(`${fact.name}: `, 60), weight: "bolder" },
        { ...run(fact.value, 1000), ...opening(fact.url) },
      ]),
    ),
  ];
}

/** A paragraph whose runs are shown as they stand; a TextBlock or a fact would be read as Markdown. */
function paragraph(inlines: object[]) {
  return { type: "RichTextBlock", inlines };
}

function run(text: string, max: number) {
  return { type: "TextRun", text: cut(still(text), max) };
}

function opening(url: string | null) {
  return url === null ? {} : { selectAction: { type: "Action.OpenUrl", url } };
}

// For clients that read Markdown or tags all the same: no link, no mention, no tag has its shape any more.
function still(text: string): string {
  return unlinked(text).replace(/\](?=\()|\](?=\[)|<|&(?=[#\w])/g, "$&\u2060");
}

const gone =
  /^(WorkflowNotFound|WorkflowTriggerIsNotEnabled|DirectApi\w+|InvalidSignature|AuthorizationFailed)$/;

function classifyReply(answer: ProviderReply): Verdict {
  const { status, text, json } = answer;
  const code = textOf(objectOf(json.error).code);
  const details = /^\w{1,60}$/.test(code) ? code : "";
  if ([401, 403, 404, 410].includes(status) || gone.test(code)) {
    const reason = `Teams no longer takes messages at this URL (${details || status}).`;
    return { result: "failed", reason, isDead: true };
  }
  // The older connectors answer 200 and put what went wrong into the text.
  const inside = /HTTP error (\d{3})/.exec(text)?.[1];
  return defaultVerdict({ ...answer, status: inside ? Number(inside) : status }, "Teams", details);
}
