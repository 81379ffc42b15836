import { AccountForm, EmailField } from "@/app/account/account-form.tsx";
import { AccountFrame, TextLink } from "@/app/account/frame.tsx";
import { nextPath, queryWithNext } from "@/app/account/next-path.ts";
import { PasswordField } from "@/app/account/password-field.tsx";
import { useSubmit } from "@/app/account/use-submit.ts";
import { api, data } from "@/lib/api.ts";
import { applyTheme } from "@/lib/browser/theme.ts";

export function LogIn() {
  const submission = useSubmit(async (form) => {
    const body = { email: String(form.get("email")).trim(), password: String(form.get("password")) };
    const user = await data(api.POST("/api/v1/auth/login", { body }));
    applyTheme(user.theme);
    location.assign(nextPath());
  });
  return (
    <AccountFrame title="Log in">
      <AccountForm label="Log in" submission={submission}>
        <EmailField error={submission.fields.email} />
        <PasswordField name="password" label="Password" error={submission.fields.password} />
      </AccountForm>
      <p className="flex flex-wrap justify-between gap-2 text-sm">
        <TextLink href="/forgot-password">Forgot your password?</TextLink>
        <TextLink href={`/signup${queryWithNext()}`}>Create an account</TextLink>
      </p>
    </AccountFrame>
  );
}
