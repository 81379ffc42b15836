import { type ComponentProps, type ReactNode, useId } from "react";
import { cx } from "@/lib/class-names.ts";

const control = cx(
  "w-full rounded border border-line-strong bg-surface px-2 text-sm text-text placeholder:text-muted",
  "aria-invalid:border-critical disabled:opacity-60 touch:text-lg",
);
const height = "h-8 touch:h-11";

type FieldProps = { label: string; help?: ReactNode; error?: string | undefined; isLabelHidden?: boolean };

/** What an input needs to be connected with its label, its help and its error. */
type Wiring = { id: string; "aria-invalid": true | undefined; "aria-describedby": string | undefined };

/** A label, a control, and below it help and error. */
export function Field({
  label,
  help,
  error,
  isLabelHidden,
  children,
}: FieldProps & { children: (wiring: Wiring) => ReactNode }) {
  const id = useId();
  const describedBy = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className="min-w-0">
      <label htmlFor={id} className={isLabelHidden ? "sr-only" : "mb-1 block text-sm font-medium"}>
        {label}
      </label>
      {children({
        id,
        "aria-invalid": error ? true : undefined,
        "aria-describedby": describedBy || undefined,
      })}
      {help && (
        <p id={`${id}-help`} className="mt-1 text-xs text-muted">
          {help}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="mt-1 text-xs text-critical">
          {error}
        </p>
      )}
    </div>
  );
}

export function TextField({
  label,
  help,
  error,
  isLabelHidden,
  className,
  ...rest
}: FieldProps & ComponentProps<"input">) {
  return (
    <Field {...withDefined({ label, help, error, isLabelHidden })}>
      {(wiring) => <input type="text" {...rest} {...wiring} className={cx(control, height, className)} />}
    </Field>
  );
}

export function TextArea({
  label,
  help,
  error,
  isLabelHidden,
  className,
  ...rest
}: FieldProps & ComponentProps<"textarea">) {
  return (
    <Field {...withDefined({ label, help, error, isLabelHidden })}>
      {(wiring) => <textarea rows={3} {...rest} {...wiring} className={cx(control, "py-1.5", className)} />}
    </Field>
  );
}

export type Option = { value: string; label: string; isDisabled?: boolean };

/** A native select: it works with every keyboard and on every phone. */
export function SelectField({
  label,
  help,
  error,
  isLabelHidden,
  options,
  className,
  ...rest
}: FieldProps & ComponentProps<"select"> & { options: Option[] }) {
  return (
    <Field {...withDefined({ label, help, error, isLabelHidden })}>
      {(wiring) => (
        <select {...rest} {...wiring} className={cx(control, height, "pr-7", className)}>
          {options.map(({ value, label: text, isDisabled }) => (
            <option key={value} value={value} disabled={isDisabled}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A checkbox with its label beside it. */
export function CheckField({
  label,
  help,
  className,
  ...rest
}: { label: ReactNode; help?: ReactNode } & ComponentProps<"input">) {
  const id = useId();
  return (
    <div className={cx("flex items-start gap-2", className)}>
      <input
        type="checkbox"
        {...rest}
        id={id}
        aria-describedby={help ? `${id}-help` : undefined}
        className="mt-0.5 size-4 shrink-0 accent-accent touch:size-5"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="text-sm">
          {label}
        </label>
        {help && (
          <p id={`${id}-help`} className="text-xs text-muted">
            {help}
          </p>
        )}
      </div>
    </div>
  );
}

/** Leaves out what is undefined, which optional properties do not accept. */
function withDefined<Props extends Record<string, unknown>>(props: Props) {
  return Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined)) as FieldProps;
}
