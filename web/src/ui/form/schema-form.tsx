import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { ApiError } from "@/lib/api.ts";
import { Button } from "@/ui/button.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { SchemaField } from "@/ui/form/schema-field.tsx";
import { type JsonSchema, readValues } from "@/ui/form/schema-fields.ts";

type Props = {
  schema: JsonSchema;
  /** The field of the request body that holds the values, such as `config`. */
  at: string;
  values?: Record<string, unknown>;
  action: string;
  onSubmit: (values: Record<string, unknown>, form: FormData) => Promise<unknown>;
  /** More inputs of the same form, before the generated ones. */
  before?: (errors: Record<string, string>) => ReactNode;
  /** Places the generated inputs among others of the same form. */
  frame?: (inputs: ReactNode, errors: Record<string, string>) => ReactNode;
  /** Another action with the same values, such as a test before they are saved. */
  second?: { action: string; onSubmit: (values: Record<string, unknown>) => Promise<unknown> };
  /** Known values for some fields, offered while typing. */
  suggestions?: Record<string, string[]>;
};

/** A form whose inputs come from a JSON schema of the service. Input names are request paths, as in the errors of a 422. */
export function SchemaForm({
  schema,
  at,
  values = {},
  action,
  onSubmit,
  before,
  frame = (inputs) => inputs,
  second,
  suggestions = {},
}: Props) {
  const [busy, setBusy] = useState<"first" | "second">();
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<unknown>();
  const form = useRef<HTMLFormElement>(null);
  const names = Object.keys(schema.properties ?? {});
  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    const chosen = submitter?.dataset.action === "second" ? "second" : "first";
    setBusy(chosen);
    setErrors({});
    setFailure(undefined);
    const content = new FormData(event.currentTarget);
    try {
      const given = readValues(content, schema, at);
      await (chosen === "second" ? second?.onSubmit(given) : onSubmit(given, content));
    } catch (error) {
      const fields = error instanceof ApiError ? error.fields : {};
      setErrors(fields);
      const first = Object.keys(fields).find((name) => inputNamed(form.current, name));
      inputNamed(form.current, first)?.focus();
      // An error without an input is shown as a whole, so that none is lost.
      if (!Object.keys(fields).length || Object.keys(fields).some((name) => !inputNamed(form.current, name)))
        setFailure(error);
    } finally {
      setBusy(undefined);
    }
  }
  const inputs = names.map((name) => (
    <SchemaField
      key={name}
      name={`${at}.${name}`}
      schema={schema.properties?.[name] ?? {}}
      isRequired={schema.required?.includes(name) ?? false}
      value={values[name]}
      error={errorFor(errors, `${at}.${name}`)}
      suggestions={suggestions[name] ?? []}
    />
  ));
  return (
    <form ref={form} noValidate onSubmit={send} className="space-y-4">
      {before?.(errors)}
      {frame(inputs, errors)}
      {failure !== undefined && <ErrorText error={failure} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" isBusy={busy === "first"} disabled={busy !== undefined}>
          {action}
        </Button>
        {second && (
          <Button type="submit" data-action="second" isBusy={busy === "second"} disabled={busy !== undefined}>
            {busy === "second" ? "Sending…" : second.action}
          </Button>
        )}
      </div>
    </form>
  );
}

/** The error of a field or of something inside it, such as `config.to.0`. */
function errorFor(errors: Record<string, string>, name: string): string | undefined {
  const key = Object.keys(errors).find((key) => key === name || key.startsWith(`${name}.`));
  return key && errors[key];
}

function inputNamed(form: HTMLFormElement | null, name: string | undefined): HTMLElement | undefined {
  if (!form || !name) return undefined;
  const inputs = [...form.elements] as HTMLInputElement[];
  return inputs.find((input) => input.name && `${name}.`.startsWith(`${input.name}.`));
}
