import type { ReactNode } from "react";
import type { Submission } from "@/app/account/use-submit.ts";
import { Button } from "@/ui/button.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { TextField } from "@/ui/form/field.tsx";

/** The form of an account page: its fields, the problem that belongs to none of them, and its one button. */
export function AccountForm({
  label,
  submission: { isBusy, general, onSubmit },
  children,
}: {
  label: string;
  submission: Submission;
  children: ReactNode;
}) {
  return (
    <form className="space-y-4" noValidate onSubmit={onSubmit}>
      {children}
      {general !== undefined && <ErrorText error={general} />}
      <Button type="submit" look="primary" className="w-full" isBusy={isBusy}>
        {label}
      </Button>
    </form>
  );
}

/** The e-mail address of the account, which is the first field of its form. */
export function EmailField({ error, defaultValue }: { error: string | undefined; defaultValue?: string }) {
  return (
    <TextField
      name="email"
      label="E-mail"
      type="email"
      autoComplete="username"
      required
      autoFocus
      error={error}
      {...(defaultValue !== undefined && { defaultValue })}
    />
  );
}
