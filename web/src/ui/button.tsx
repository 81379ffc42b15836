import { Slot } from "@radix-ui/react-slot";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "@/lib/class-names.ts";

const looks = {
  primary: "bg-accent text-on-accent hover:opacity-90",
  secondary: "border border-line-strong bg-surface hover:bg-raised",
  danger: "border border-critical bg-surface text-critical hover:bg-critical-bg",
  plain: "text-accent hover:bg-raised",
};

type Look = keyof typeof looks;

/** The classes of a button; for links that look like one. */
export function buttonClass(look: Look = "secondary", isSmall = false): string {
  return cx(
    "inline-flex items-center justify-center gap-1.5 rounded font-medium whitespace-nowrap select-none",
    "disabled:opacity-55 aria-disabled:opacity-55",
    isSmall ? "h-7 px-2 text-xs touch:h-9" : "h-8 px-3 text-sm touch:h-11 touch:text-base",
    looks[look],
  );
}

type Props = ComponentProps<"button"> & {
  look?: Look;
  isSmall?: boolean;
  /** The action is running: the button keeps its width and cannot be pressed again. */
  isBusy?: boolean;
  icon?: ReactNode;
  /** Renders the only child, such as a link, instead of a button. */
  asChild?: boolean;
};

export function Button({ look, isSmall, isBusy, icon, asChild, className, children, ...rest }: Props) {
  const classes = cx(buttonClass(look, isSmall), className);
  if (asChild)
    return (
      <Slot className={classes} {...(rest as object)}>
        {children}
      </Slot>
    );
  return (
    <button
      type="button"
      className={classes}
      {...rest}
      disabled={rest.disabled || isBusy}
      aria-busy={isBusy || undefined}
    >
      {icon}
      {children}
    </button>
  );
}

/** A square button with an icon; the label is read aloud and shown on hover. */
export function IconButton({
  label,
  className,
  children,
  ...rest
}: ComponentProps<"button"> & { label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={cx(
        "inline-grid size-8 shrink-0 place-items-center rounded text-muted hover:bg-raised hover:text-text touch:size-11",
        className,
      )}
      {...rest}
    >
      {children}
    </button>
  );
}
