import { useState } from "react";
import { api } from "@/lib/api.ts";
import { useSession } from "@/lib/session.ts";
import { Button } from "@/ui/button.tsx";
import { toast } from "@/ui/toast.tsx";

/** Channels that send mail or text messages need a verified address; the rest works without. */
export function VerifyBanner() {
  const { user } = useSession();
  const [isSent, setSent] = useState(false);
  if (user.is_verified) return null;
  async function send() {
    try {
      await api.POST("/api/v1/auth/resend-verification");
      setSent(true);
    } catch (error) {
      toast.failed(error);
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-info-bg px-4 py-2 text-sm text-info sm:px-6">
      <p className="min-w-0 wrap-break-word">
        {isSent
          ? `A new link was sent to ${user.email}.`
          : `Confirm ${user.email} by the link in your mail. E-mail and SMS channels need it.`}
      </p>
      {!isSent && (
        <Button isSmall onClick={send}>
          Send the link again
        </Button>
      )}
    </div>
  );
}
