/** Words of the project's former private dialect, and what to write instead (see the vocabulary in CONTRIBUTING.md). */
const dialect: [RegExp, string][] = [
  [/\b(is|are|was|were|been|be) (un)?told\b/i, "notify, report"],
  [/\b(lets?|letting) go\b/i, "suspend, release"],
  [/\btak(es?|en|ing) in\b/i, "apply, process"],
  [/\b(takes?|taken|taking) back\b/i, "roll back, requeue, resume"],
  [/\bcall(ed|s|ing)? off\b/i, "retract, cancel"],
  [/\balarms?\b(?! bell)/i, "alert"],
  [/\banew\b/i, "again, new"],
  [/\bby itself\b/i, "independently, individually, separately, automatically"],
  [/\bwhoever\b|\bsomebody\b|\banybody\b/i, "name the subject"],
  [/\bfor want of\b|\bof its like\b|\bin earnest\b|\bmade up for\b/i, "say it plainly"],
  [/\bmost[A-Z]\w*/, "max*"],
  [/\bonly grows\b/i, "fencing token, monotonically increasing"],
];

/** Returns the lines of a text that contain dialect, with the advice. */
export function findDialect(path: string, text: string): string[] {
  return text
    .split("\n")
    .flatMap((line, index) =>
      dialect
        .filter(([pattern]) => pattern.test(line))
        .map(([pattern, advice]) => `${path}:${index + 1} has "${line.match(pattern)?.[0]}": ${advice}`),
    );
}
