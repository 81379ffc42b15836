import { useState } from "react";
import { copyText } from "@/lib/browser/clipboard.ts";
import { cx } from "@/lib/class-names.ts";
import { Check, Copy } from "@/ui/icons.ts";

/** Copies a value and confirms it in place. */
export function CopyButton({
  value,
  label,
  className,
}: {
  value: string;
  label: string;
  className?: string;
}) {
  const [isCopied, setCopied] = useState(false);
  async function copy() {
    await copyText(value);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  }
  return (
    <button
      type="button"
      aria-label={isCopied ? "Copied" : label}
      title={label}
      onClick={copy}
      className={cx(
        "inline-grid size-6 shrink-0 place-items-center rounded align-middle text-muted hover:bg-raised hover:text-text",
        className,
      )}
    >
      {isCopied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
    </button>
  );
}
