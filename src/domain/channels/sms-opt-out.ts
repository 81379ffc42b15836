import type { App } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { isSignedByTwilio, parseForm } from "../../lib/signatures/twilio-signature.ts";
import { insertReceived, setOptOut } from "../../store/channels/opt-outs.ts";
import { type Anyone, systemCaller } from "../caller.ts";
import { baseUrl } from "../mail.ts";
import { inTransaction } from "../transaction.ts";

/** Keywords of inbound texts. They apply to every org; Twilio uses the same. */
const keywords = {
  out: ["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "REVOKE", "OPTOUT"],
  in: ["START", "UNSTOP", "YES"],
  help: ["HELP", "INFO"],
};

const xml = '<?xml version="1.0" encoding="UTF-8"?>';
const emptyReply = `${xml}<Response/>`;
const helpReply =
  `${xml}<Response><Message>Tocsin sends alerts on smart contracts that your team configured. ` +
  "Reply STOP to end them, START to resume.</Message></Response>";

type Text = { bytes: Buffer; signature: string | string[] | undefined; target: string };

/** Processes an inbound text and returns the TwiML reply. */
export async function receiveText(app: App, caller: Anyone, text: Text): Promise<string> {
  const params = readSigned(app, text);
  const first = (name: string) => params.get(name)?.[0] ?? "";
  const meaning = meaningOf(first("OptOutType") || first("Body"));
  if (meaning === "help") return helpReply;
  const phone = first("From");
  // We never send alerts to other kinds of sender, such as short codes.
  if (!meaning || !/^\+[1-9]\d{6,14}$/.test(phone)) return emptyReply;
  await inTransaction(app, { ...systemCaller, context: caller.context }, async (tx, { audit }) => {
    const sid = first("MessageSid");
    const now = app.clock.now();
    // A redelivered STOP must not undo a later START.
    if (/^\w{1,64}$/.test(sid) && !(await insertReceived(tx, sid, now))) return;
    await setOptOut(tx, phone, meaning === "out" ? now : null);
    const action = meaning === "out" ? "sms.opted_out" : "sms.opted_in";
    audit({ org_id: null, action, subject: { type: "phone", id: phone } });
  });
  return emptyReply;
}

/** Recognises a keyword only if it is the whole text; in a sentence it could mean the opposite. */
function meaningOf(text: string): keyof typeof keywords | undefined {
  const word = text.trim().toUpperCase();
  const meanings = ["out", "in", "help"] as const;
  return meanings.find((meaning) => keywords[meaning].includes(word));
}

/** Far more than Twilio sends. */
const maxFields = 200;

/**
 * Returns the fields of a form that Twilio signed. The signature covers the fields, so they are parsed before it can be
 * verified: settings, header and size are checked first, because anyone can send a form.
 */
function readSigned({ config }: App, { bytes, signature, target }: Text): Map<string, string[]> {
  const token = config.twilioAuthToken;
  if (!token)
    throw new AppError(
      "sms_not_configured",
      "Inbound texts are not configured: TWILIO_AUTH_TOKEN is not set.",
    );
  const params = isSignature(signature) ? parseForm(bytes, maxFields) : undefined;
  // The configured URL, never the one that the request claims.
  const url = baseUrl(config) + target;
  if (params && isSignature(signature) && isSignedByTwilio({ url, params, token, signature })) return params;
  throw new AppError(
    "webhook_refused",
    "Invalid X-Twilio-Signature. PUBLIC_URL must be the URL that Twilio calls.",
  );
}

/** The form of a signature: an HMAC-SHA1 in base64. */
function isSignature(header: string | string[] | undefined): header is string {
  return typeof header === "string" && /^[A-Za-z0-9+/]{27}=$/.test(header);
}
