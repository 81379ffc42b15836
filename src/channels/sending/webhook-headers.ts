import { z } from "zod";

/** Additional headers, such as a key that the receiver requires. */
export const extraHeaders = z
  .record(z.string(), z.string().max(2000))
  .superRefine((headers, context) => {
    const names = Object.keys(headers);
    const problem = listProblem(names);
    if (problem) context.addIssue({ code: "custom", message: problem });
    for (const name of names) {
      const message = nameProblem(name) ?? valueProblem(headers[name] ?? "");
      if (message) context.addIssue({ code: "custom", path: [name], message });
    }
  })
  .meta({
    description: "Additional headers. Never shown again.",
    examples: [{ authorization: "Bearer 0123456789" }],
  });

const maxHeaders = 20;

function listProblem(names: string[]): string | undefined {
  if (names.length > maxHeaders) return `must have at most ${maxHeaders} headers`;
  const isRepeated = new Set(names.map((name) => name.toLowerCase())).size < names.length;
  return isRepeated ? "must name each header once" : undefined;
}

function nameProblem(name: string): string | undefined {
  if (!/^[a-z][a-z0-9_-]{0,63}$/i.test(name)) return "must be named with letters, digits, - and _";
  return reserved.test(name) ? "is set by the service itself" : undefined;
}

/** Headers that describe the message, its transport or its sender. */
const reserved =
  /^(host|connection|content-.*|accept-encoding|expect|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*|webhook-.*)$/i;

function valueProblem(value: string): string | undefined {
  return /^[\x20-\x7e]*$/.test(value) ? undefined : "must be ASCII text on one line";
}
