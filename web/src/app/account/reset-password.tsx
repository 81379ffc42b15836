import { useState } from "react";
import { AccountFrame, TextLink } from "@/app/account/frame.tsx";
import { PasswordField } from "@/app/account/password-field.tsx";
import { useSubmit } from "@/app/account/use-submit.ts";
import { api } from "@/lib/api.ts";
import { Button } from "@/ui/button.tsx";
import { ErrorText } from "@/ui/error-text.tsx";

export function ResetPassword({ token }: { token: string }) {
  const [isDone, setDone] = useState(false);
  const { isBusy, fields, general, onSubmit } = useSubmit(async (form) => {
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
      <form className="space-y-4" noValidate onSubmit={onSubmit}>
        <PasswordField name="new_password" label="New password" isNew error={fields.new_password} />
        {general !== undefined && <ErrorText error={general} />}
        <Button type="submit" look="primary" className="w-full" isBusy={isBusy}>
          Set password
        </Button>
      </form>
    </AccountFrame>
  );
}
