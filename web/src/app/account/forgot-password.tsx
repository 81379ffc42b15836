import { useState } from "react";
import { AccountForm, EmailField } from "@/app/account/account-form.tsx";
import { AccountFrame, TextLink } from "@/app/account/frame.tsx";
import { useSubmit } from "@/app/account/use-submit.ts";
import { api } from "@/lib/api.ts";

export function ForgotPassword() {
  const [sentTo, setSentTo] = useState<string>();
  const submission = useSubmit(async (form) => {
    const email = String(form.get("email")).trim();
    await api.POST("/api/v1/auth/forgot-password", { body: { email } });
    setSentTo(email);
  });
  if (sentTo)
    return (
      <AccountFrame title="Check your mail">
        <p role="status">
          If <b>{sentTo}</b> has an account, a mail with a link to set a new password is on its way. The link
          works for an hour.
        </p>
        <p className="text-sm">
          <TextLink href="/login">Back to log-in</TextLink>
        </p>
      </AccountFrame>
    );
  return (
    <AccountFrame
      title="Forgot your password?"
      lead="A mail with a link to set a new one is sent to your address."
    >
      <AccountForm label="Send the link" submission={submission}>
        <EmailField error={submission.fields.email} />
      </AccountForm>
      <p className="text-sm">
        <TextLink href="/login">Back to log-in</TextLink>
      </p>
    </AccountFrame>
  );
}
