import type { App } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { isSignedByTwilio, parseForm } from "../../lib/signatures/twilio-signature.ts";
import { insertReceived, setOptOut } from "../../store/channels/opt-outs.ts";
import { type Anyone, systemCaller } from "../caller.ts";
import { baseUrl } from "../mail.ts";
import { write } from "../transaction.ts";

/** What one word from a phone means, for every org. Twilio itself stops sending at the same words. */
const wordsOf = {
  out: ["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "REVOKE", "OPTOUT"],
  in: ["START", "UNSTOP", "YES"],
  help: ["HELP", "INFO"],
};

const xml = '<?xml version="1.0" encoding="UTF-8"?>';
const silence = `${xml}<Response/>`;
const help =
  `${xml}<Response><Message>Tocsin sends alerts on smart contracts that a team has asked for. ` +
  "Reply STOP to get no more, START to get them again.</Message></Response>";

type Text = { bytes: Buffer; signature: string | string[] | undefined; target: string };

/** Takes a text that somebody sent to us, and answers with what Twilio is to send back. */
export async function receiveText(app: App, caller: Anyone, text: Text): Promise<string> {
  const params = parseForm(text.bytes);
  requireSignature(app, text, params);
  const first = (name: string) => params.get(name)?.[0] ?? "";
  const meaning = meaningOf(first("OptOutType") || first("Body"));
  if (meaning === "help") return help;
  const phone = first("From");
  // Whoever writes otherwise than by text, or from a short number, gets no alerts there.
  if (!meaning || !/^\+[1-9]\d{6,14}$/.test(phone)) return silence;
  await write(app, { ...systemCaller, context: caller.context }, async (tx, { audit }) => {
    const sid = first("MessageSid");
    const now = app.clock.now();
    // A STOP that comes once more after a START must not undo it.
    if (/^\w{1,64}$/.test(sid) && !(await insertReceived(tx, sid, now))) return;
    await setOptOut(tx, phone, meaning === "out" ? now : null);
    const action = meaning === "out" ? "sms.opted_out" : "sms.opted_in";
    audit({ org_id: null, action, subject: { type: "phone", id: phone } });
  });
  return silence;
}

/** A word alone; in a sentence it may mean the opposite. */
function meaningOf(text: string): keyof typeof wordsOf | undefined {
  const word = text.trim().toUpperCase();
  const meanings = ["out", "in", "help"] as const;
  return meanings.find((meaning) => wordsOf[meaning].includes(word));
}

function requireSignature({ config }: App, { signature, target }: Text, params: Map<string, string[]>): void {
  const token = config.twilioAuthToken;
  if (!token)
    throw new AppError("sms_not_configured", "No texts are taken here: TWILIO_AUTH_TOKEN is not set.");
  // The address as we were told it is, never as the request claims.
  const url = baseUrl(config) + target;
  if (typeof signature === "string" && isSignedByTwilio({ url, params, token, signature })) return;
  throw new AppError(
    "webhook_refused",
    "The signature in X-Twilio-Signature does not fit. PUBLIC_URL must be the address that Twilio calls.",
  );
}
