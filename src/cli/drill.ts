import type { FireDrill } from "../wire/alerts/fire-drill.ts";
import { Id } from "../wire/primitives.ts";
import { UsageError } from "./command.ts";
import { requireRemote } from "./remote/require-remote.ts";

/** Runs a fire drill of a rule, and prints who it notifies, and who an alert would notify later. */
export async function run([rule_id = "", ...rest]: string[]): Promise<void> {
  if (!Id.safeParse(rule_id).success || rest.length > 0) throw new UsageError("expected the id of a rule.");
  const { steps } = await requireRemote().post<FireDrill>(`/alerts/${rule_id}/test`, {});
  for (const { after_seconds, recipients } of steps) {
    console.log(after_seconds === 0 ? "At once:" : `After ${after_seconds} s without an acknowledgement:`);
    if (recipients.length === 0) console.log("  no channel");
    for (const { channel_name, channel_type, outcome } of recipients)
      console.log(`  ${channel_name} (${channel_type}): ${outcome.replaceAll("_", " ")}`);
  }
}
