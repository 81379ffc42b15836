import { useState } from "react";
import { Button } from "@/ui/button.tsx";
import { TextField } from "@/ui/form/field.tsx";

const rule = "At least 12 characters and not a commonly used password. A phrase of four words is good.";

/** A password that can be shown and pasted. */
export function PasswordField({
  name,
  label,
  isNew = false,
  error,
}: {
  name: string;
  label: string;
  isNew?: boolean;
  error?: string | undefined;
}) {
  const [isShown, setShown] = useState(false);
  return (
    <div className="relative">
      <TextField
        name={name}
        label={label}
        type={isShown ? "text" : "password"}
        autoComplete={isNew ? "new-password" : "current-password"}
        required
        error={error}
        {...(isNew && { help: rule })}
        className="pr-16"
      />
      <Button
        isSmall
        look="plain"
        aria-pressed={isShown}
        className="absolute top-[26px] right-0.5"
        onClick={() => setShown(!isShown)}
      >
        Show
      </Button>
    </div>
  );
}
