import { parseYaml } from "../../imports/parse-yaml.ts";
import { invalidBody, type Read, readJson, readUtf8 } from "./json-body.ts";

/** Parses a YAML body, or returns why it cannot be. What its aliases expand to counts towards the limits of JSON. */
export function readYaml(body: Uint8Array, maxValues: number): Read {
  const text = readUtf8(body);
  if (text === undefined) return invalidBody("is not valid UTF-8", "yaml_invalid");
  const read = parseYaml(text);
  if ("problem" in read) return invalidBody(`is not valid YAML: ${read.problem}`, "yaml_invalid");
  const json = toJson(read.value);
  if (json === undefined) return invalidBody("contains a reference to itself", "yaml_invalid");
  return readJson(Buffer.from(json), maxValues);
}

/** Undefined for a value that contains itself. */
function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value ?? null);
  } catch {
    return undefined;
  }
}
