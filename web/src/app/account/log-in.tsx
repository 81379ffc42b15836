import { AccountFrame, TextLink } from "@/app/account/frame.tsx";
import { nextPath, queryWithNext } from "@/app/account/next-path.ts";
import { PasswordField } from "@/app/account/password-field.tsx";
import { useSubmit } from "@/app/account/use-submit.ts";
import { api, data } from "@/lib/api.ts";
import { applyTheme } from "@/lib/theme.ts";
import { Button } from "@/ui/button.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { TextField } from "@/ui/form/field.tsx";

export function LogIn() {
  const { isBusy, fields, general, onSubmit } = useSubmit(async (form) => {
    const body = { email: String(form.get("email")).trim(), password: String(form.get("password")) };
    const user = await data(api.POST("/api/v1/auth/login", { body }));
    applyTheme(user.theme);
    location.assign(nextPath());
  });
  return (
    <AccountFrame title="Log in">
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
        <PasswordField name="password" label="Password" error={fields.password} />
        {general !== undefined && <ErrorText error={general} />}
        <Button type="submit" look="primary" className="w-full" isBusy={isBusy}>
          Log in
        </Button>
      </form>
      <p className="flex flex-wrap justify-between gap-2 text-sm">
        <TextLink href="/forgot-password">Forgot your password?</TextLink>
        <TextLink href={`/signup${queryWithNext()}`}>Create an account</TextLink>
      </p>
    </AccountFrame>
  );
}
