import type { App } from "../../../app.ts";
import { listStaffEmails } from "../../../store/accounts/staff.ts";
import { claimUnnotifiedDegraded } from "../../../store/alerts/system-alerts.ts";
import { systemCaller } from "../../caller.ts";
import { degradedMail, queueMail } from "../../mail.ts";
import { inTransaction } from "../../transaction.ts";

/** Mails staff once about each chain that is degraded by a deep reorg. */
export async function notifyStaffOfDegradedChains(app: App): Promise<void> {
  await inTransaction(app, systemCaller, async (tx, { audit, hint }) => {
    const unnotified = await claimUnnotifiedDegraded(tx, app.clock.now());
    const staff = app.config.staffEmail ? [app.config.staffEmail] : await listStaffEmails(tx);
    for (const { chain, degraded_reason } of unnotified) {
      const details = { reason: degraded_reason };
      audit({ org_id: null, action: "chain.degraded", subject: { type: "chain", id: chain }, details });
      for (const to of staff) await queueMail(app, tx, degradedMail(to, chain, degraded_reason));
      hint({ topic: "mail.queued" });
    }
  });
}
