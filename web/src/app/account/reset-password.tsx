import { useState } from "react";
import { AccountForm } from "@/app/account/account-form.tsx";
import { AccountFrame, TextLink } from "@/app/account/frame.tsx";
import { PasswordField } from "@/app/account/password-field.tsx";
import { useSubmit } from "@/app/account/use-submit.ts";
import { api } from "@/lib/api.ts";

export function ResetPassword({ token }: { token: string }) {
  const [isDone, setDone] = useState(false);
  const submission = useSubmit(async (form) => {
    const body = { token, new_password: String(form.get("new_password")) };
    await api.POST("/api/v1/auth/reset-password", { body });
    setDone(true);
  });
  if (isDone)
    return (
      <AccountFrame title="Set a new password">
        <p role="status">Your new password is set. All sessions were ended.</p>
        <p>
          <TextLink href="/login">Log in</TextLink>
        </p>
      </AccountFrame>
    );
  return (
    <AccountFrame title="Set a new password">
      <AccountForm label="Set password" submission={submission}>
        <PasswordField
          name="new_password"
          label="New password"
          isNew
          error={submission.fields.new_password}
        />
      </AccountForm>
    </AccountFrame>
  );
}
