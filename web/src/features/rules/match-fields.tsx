import { type ClauseForm, type MatchForm, newKey } from "@/features/rules/condition-values.ts";
import { Button } from "@/ui/button.tsx";
import { SelectField, TextField } from "@/ui/form/field.tsx";

type Props = {
  match: MatchForm;
  set: (match: MatchForm) => void;
  groupBy: string;
  setGroupBy: (groupBy: string) => void;
  errors: Record<string, string>;
  /** The signatures of the contract's ABI, offered while typing. */
  names: { events: string[]; functions: string[] };
};

const path = "condition.match";

/** Which transactions count, and whether each sender or argument is counted individually. */
export function MatchFields({ match, set, groupBy, setGroupBy, errors, names }: Props) {
  return (
    <div className="space-y-4">
      <p className="text-sm text-muted">
        Only transactions that match count. If events or functions are listed, at least one must match.
        Conditions compare arguments by their name, such as <code>value &gt; 1000e18</code>.
      </p>
      <Clauses
        title="Events"
        one="event"
        clauses={match.events}
        set={(events) => set({ ...match, events })}
        errors={errors}
        path={`${path}.events`}
        names={names.events}
      />
      <Clauses
        title="Functions"
        one="function"
        clauses={match.functions}
        set={(functions) => set({ ...match, functions })}
        errors={errors}
        path={`${path}.functions`}
        names={names.functions}
      />
      <div className="grid gap-3 sm:grid-cols-3">
        <SelectField
          label="Result of the transaction"
          value={match.status}
          onChange={({ target }) => set({ ...match, status: target.value as MatchForm["status"] })}
          error={errors[`${path}.status`]}
          options={[
            { value: "", label: "the usual of the target" },
            { value: "any", label: "succeeded or failed" },
            { value: "success", label: "succeeded" },
            { value: "failed", label: "failed" },
          ]}
        />
        <TextField
          label="Condition on the transaction"
          value={match.expression}
          onChange={({ target }) => set({ ...match, expression: target.value })}
          error={errors[`${path}.expression`] ?? errors[path]}
          placeholder="value > 10e18"
          spellCheck={false}
        />
        <TextField
          label="Count separately for each"
          value={groupBy}
          onChange={({ target }) => setGroupBy(target.value)}
          error={errors["condition.group_by"]}
          placeholder="sender or args.to"
          help="Each group fires and resolves independently. Empty: all together."
          spellCheck={false}
        />
      </div>
    </div>
  );
}

type ClausesProps = {
  title: string;
  one: string;
  clauses: ClauseForm[];
  set: (clauses: ClauseForm[]) => void;
  errors: Record<string, string>;
  path: string;
  names: string[];
};

function Clauses({ title, one: singular, clauses, set, errors, path: at, names }: ClausesProps) {
  const change = (key: number, part: Partial<ClauseForm>) =>
    set(clauses.map((clause) => (clause.key === key ? { ...clause, ...part } : clause)));
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{title}</legend>
      <datalist id={`${at}-names`}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <ul className="space-y-3">
        {clauses.map(({ key, signature, expression }, index) => (
          <li key={key} className="grid gap-2 sm:grid-cols-[1fr_1fr_auto] sm:items-start">
            <TextField
              label={`Signature of the ${singular}`}
              value={signature}
              onChange={({ target }) => change(key, { signature: target.value })}
              error={errors[`${at}.${index}.signature`]}
              list={`${at}-names`}
              autoComplete="off"
              spellCheck={false}
            />
            <TextField
              label="Condition on its arguments (optional)"
              value={expression}
              onChange={({ target }) => change(key, { expression: target.value })}
              error={errors[`${at}.${index}.expression`]}
              spellCheck={false}
            />
            <Button
              className="sm:mt-6"
              aria-label={`Remove the ${singular} ${signature}`}
              onClick={() => set(clauses.filter((clause) => clause.key !== key))}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <Button
        isSmall
        className={clauses.length > 0 ? "mt-2" : ""}
        onClick={() => set([...clauses, { key: newKey(), signature: "", expression: "" }])}
      >
        Add {singular}
      </Button>
    </fieldset>
  );
}
