import { useState } from "react";
import { AccountForm, EmailField } from "@/app/account/account-form.tsx";
import { AccountFrame, TextLink } from "@/app/account/frame.tsx";
import { inviteToken, nextPath, queryWithNext } from "@/app/account/next-path.ts";
import { PasswordField } from "@/app/account/password-field.tsx";
import { useSubmit } from "@/app/account/use-submit.ts";
import { api, data } from "@/lib/api.ts";
import { TextField } from "@/ui/form/field.tsx";

export function SignUp() {
  const [pending, setPending] = useState<string>();
  const invited = new URLSearchParams(location.search).get("email") ?? "";
  const submission = useSubmit(async (form) => {
    const text = (name: string) => String(form.get(name) ?? "").trim();
    const body = {
      email: text("email"),
      password: String(form.get("password")),
      ...(text("name") && { name: text("name") }),
      ...(text("org_name") && { org_name: text("org_name") }),
      ...(inviteToken() && { invite_token: inviteToken() }),
    };
    const user = await data(api.POST("/api/v1/auth/signup", { body }));
    if (user.status === "pending_approval") setPending(user.email);
    else location.assign(nextPath());
  });
  if (pending)
    return (
      <AccountFrame title="Waiting for approval">
        <p>
          An operator of this service decides about new accounts. A mail to <b>{pending}</b> will say when you
          can log in.
        </p>
      </AccountFrame>
    );
  return (
    <AccountFrame title="Create an account">
      <AccountForm label="Create account" submission={submission}>
        <EmailField defaultValue={invited} error={submission.fields.email} />
        <PasswordField name="password" label="Password" isNew error={submission.fields.password} />
        <TextField
          name="name"
          label="Your name (optional)"
          autoComplete="name"
          error={submission.fields.name}
        />
        <TextField
          name="org_name"
          label="Organisation (optional)"
          autoComplete="organization"
          error={submission.fields.org_name}
        />
      </AccountForm>
      <p className="text-sm">
        Do you have an account? <TextLink href={`/login${queryWithNext()}`}>Log in</TextLink>
      </p>
    </AccountFrame>
  );
}
