import type { Warning } from "./monitor.ts";

/** Names of message variables in Defender and in this service. */
const variables: Record<string, string> = {
  "monitor.name": "rule",
  "monitor.network": "chain",
  "monitor.chainid": "chain",
  "transaction.transactionhash": "tx_hash",
  "transaction.hash": "tx_hash",
  "transaction.link": "tx_hash",
  "contract.address": "address",
  "contract.name": "contract",
};

/** Converts the variables of a message. Unknown variables become text in single braces and are reported. */
export function convertMessage(
  subject: string | null,
  body: string | null,
): { message: string | null; warnings: Warning[] } {
  const source = [subject, body].filter((part) => part !== null).join("\n");
  if (source === "") return { message: null, warnings: [] };
  const unknown = new Set<string>();
  const message = source.replace(
    /(\{\{\s*([\w.[\]]+)\s*\}\}|\$\{\s*([\w.[\]]+)\s*\})/g,
    (whole, _all, first, second) => {
      const name = String(first ?? second);
      const ownName = Object.hasOwn(variables, name.toLowerCase())
        ? variables[name.toLowerCase()]
        : undefined;
      if (!ownName) unknown.add(name);
      return ownName ? `{{${ownName}}}` : whole.replace("{{", "{").replace("}}", "}");
    },
  );
  const warnings: Warning[] = [];
  if (unknown.size > 0) {
    const names = [...unknown].slice(0, 10).join(", ");
    warnings.push({
      code: "template_variable",
      message: `The message contains variables that are not supported and stay as text: ${names}.`,
    });
  }
  if (message.length > 2_000)
    warnings.push({ code: "value_clamped", message: "The message was truncated to 2,000 characters." });
  return { message: message.slice(0, 2_000), warnings };
}
