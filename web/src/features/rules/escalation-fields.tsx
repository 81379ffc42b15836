import { newKey } from "@/features/rules/condition-values.ts";
import type { RuleForm, StepForm } from "@/features/rules/form-values.ts";
import type { Channel } from "@/queries/channels.ts";
import { Button } from "@/ui/button.tsx";
import { CheckField, TextField } from "@/ui/form/field.tsx";

type Props = {
  steps: StepForm[];
  set: (change: Partial<RuleForm>) => void;
  errors: Record<string, string>;
  channels: Channel[];
};

const maxSteps = 10;

/** Who is notified next while nobody acknowledges. */
export function EscalationFields({ steps, set, errors, channels }: Props) {
  const change = (key: number, part: Partial<StepForm>) =>
    set({ escalation: steps.map((step) => (step.key === key ? { ...step, ...part } : step)) });
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">If nobody acknowledges</legend>
      {errors.escalation && <p className="mb-1 text-xs text-critical">{errors.escalation}</p>}
      <ol className="space-y-3">
        {steps.map(({ key, minutes, channel_ids }, index) => (
          <li key={key} className="space-y-2 rounded border border-line p-3">
            <div className="flex flex-wrap items-end gap-2">
              <div className="w-44">
                <TextField
                  label="After (minutes)"
                  inputMode="decimal"
                  value={minutes}
                  onChange={({ target }) => change(key, { minutes: target.value })}
                />
              </div>
              <Button
                aria-label={`Remove step ${index + 1}`}
                onClick={() => set({ escalation: steps.filter((step) => step.key !== key) })}
              >
                Remove
              </Button>
            </div>
            <StepError errors={errors} at={`escalation.${index}.after_seconds`} />
            <div className="grid gap-2 sm:grid-cols-2">
              {channels.map(({ id, name, type }) => (
                <CheckField
                  key={id}
                  label={`also notify ${name} (${type})`}
                  checked={channel_ids.includes(id)}
                  onChange={({ target }) =>
                    change(key, {
                      channel_ids: target.checked
                        ? [...channel_ids, id]
                        : channel_ids.filter((channelId) => channelId !== id),
                    })
                  }
                />
              ))}
            </div>
            <StepError
              errors={errors}
              at={`escalation.${index}.channel_ids`}
              text={channel_ids.length === 0 ? "Choose at least one channel." : undefined}
            />
          </li>
        ))}
      </ol>
      {steps.length < maxSteps && channels.length > 0 && (
        <Button
          isSmall
          className={steps.length > 0 ? "mt-2" : ""}
          onClick={() =>
            set({ escalation: [...steps, { key: newKey(), minutes: nextMinutes(steps), channel_ids: [] }] })
          }
        >
          Add step
        </Button>
      )}
    </fieldset>
  );
}

/** Later than the step before, as the service requires. */
function nextMinutes(steps: StepForm[]): string {
  return String((Number(steps.at(-1)?.minutes) || 0) + 15);
}

/** The problem of a field or of something inside it. */
function StepError({
  errors,
  at,
  text,
}: {
  errors: Record<string, string>;
  at: string;
  /** A clearer text than that of the service, which does not know the form. */
  text?: string | undefined;
}) {
  const key = Object.keys(errors).find((key) => key === at || key.startsWith(`${at}.`));
  if (!key) return null;
  return (
    <p role="alert" className="text-xs text-critical">
      {text ?? errors[key]}
    </p>
  );
}
