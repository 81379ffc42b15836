import { CheckField, SelectField, TextArea, TextField } from "@/ui/form/field.tsx";
import { type JsonSchema, kindOf, labelOf } from "@/ui/form/schema-fields.ts";

type Props = {
  name: string;
  schema: JsonSchema;
  isRequired: boolean;
  value: unknown;
  error: string | undefined;
  suggestions: string[];
};

/** One input of a generated form. */
export function SchemaField({ name, schema, isRequired, value, error, suggestions }: Props) {
  const label = `${schema.title ?? labelOf(name.split(".").at(-1) ?? name)}${isRequired ? "" : " (optional)"}`;
  const common = { name, label, help: schema.description, error };
  const isStoredSecret = schema.writeOnly === true && value !== undefined;
  switch (kindOf(schema)) {
    case "choice":
      return (
        <SelectField
          {...common}
          defaultValue={String(value ?? schema.default ?? (isRequired ? schema.enum?.[0] : ""))}
          options={[
            ...(isRequired ? [] : [{ value: "", label: "Default" }]),
            ...(schema.enum ?? []).map((choice) => ({ value: choice, label: choice })),
          ]}
        />
      );
    case "switch":
      return (
        <CheckField
          name={name}
          label={label}
          help={schema.description}
          defaultChecked={Boolean(value ?? schema.default)}
        />
      );
    case "number":
      return (
        <TextField
          {...common}
          inputMode="decimal"
          defaultValue={textOf(value)}
          placeholder={exampleOf(schema)}
        />
      );
    case "list":
      return (
        <TextArea
          {...common}
          help={withLine(schema.description)}
          defaultValue={Array.isArray(value) ? value.join("\n") : ""}
          placeholder={exampleOf(schema)}
        />
      );
    case "json":
      return (
        <TextArea
          {...common}
          className="font-mono"
          defaultValue={value === undefined || isStoredSecret ? "" : JSON.stringify(value, null, 2)}
          placeholder={isStoredSecret ? "Unchanged" : exampleOf(schema)}
        />
      );
    default:
      return (
        <>
          <TextField
            {...common}
            autoComplete="off"
            spellCheck={false}
            defaultValue={isStoredSecret ? "" : textOf(value)}
            placeholder={isStoredSecret ? "Unchanged" : exampleOf(schema)}
            {...(suggestions.length > 0 && { list: `${name}-suggestions` })}
          />
          {suggestions.length > 0 && (
            <datalist id={`${name}-suggestions`}>
              {suggestions.map((suggestion) => (
                <option key={suggestion} value={suggestion} />
              ))}
            </datalist>
          )}
        </>
      );
  }
}

function withLine(description: string | undefined): string {
  return [description, "One per line."].filter(Boolean).join(" ");
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? "" : String(value);
}

function exampleOf({ examples, items }: JsonSchema): string {
  const [example] = examples ?? items?.examples ?? [];
  if (example === undefined || example === null) return "";
  if (Array.isArray(example)) return String(example[0] ?? "");
  return typeof example === "object" ? JSON.stringify(example) : String(example);
}
