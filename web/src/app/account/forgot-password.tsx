import { useState } from "react";
import { AccountFrame, TextLink } from "@/app/account/frame.tsx";
import { useSubmit } from "@/app/account/use-submit.ts";
import { api } from "@/lib/api.ts";
import { Button } from "@/ui/button.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { TextField } from "@/ui/form/field.tsx";

export function ForgotPassword() {
  const [sentTo, setSentTo] = useState<string>();
  const { isBusy, fields, general, onSubmit } = useSubmit(async (form) => {
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
      <form className="space-y-4" noValidate onSubmit={onSubmit}>
        <TextField
          name="email"
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          autoFocus
          error={fields.email}
        />
        {general !== undefined && <ErrorText error={general} />}
        <Button type="submit" look="primary" className="w-full" isBusy={isBusy}>
          Send the link
        </Button>
      </form>
      <p className="text-sm">
        <TextLink href="/login">Back to log-in</TextLink>
      </p>
    </AccountFrame>
  );
}
