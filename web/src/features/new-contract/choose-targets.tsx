import { firstSentence } from "@/lib/text/first-sentence.ts";
import type { Inspection, TargetType } from "@/queries/contracts.ts";
import { CheckField } from "@/ui/form/field.tsx";

export type ChosenTarget = { target_type: string; config: Record<string, unknown> };

/** Types that can be added without any input. */
const needsNothing = ({ config_schema }: TargetType) =>
  ((config_schema.required as string[] | undefined) ?? []).length === 0;
const keyOf = ({ target_type, config }: ChosenTarget) => `${target_type} ${JSON.stringify(config)}`;

type Props = {
  inspection: Inspection;
  types: TargetType[];
  kind: string;
  chosen: ChosenTarget[];
  onChange: (chosen: ChosenTarget[]) => void;
};

/** Step two: the suggested targets are ticked; other simple ones can be added. */
export function ChooseTargets({ inspection: found, types, kind, chosen, onChange }: Props) {
  const suggested = found.suggested_targets.map(({ target_type, config, reason }) => ({
    target_type,
    config,
    reason,
  }));
  const otherTypes = types.filter(
    (type) =>
      type.families.includes(kind as "evm") &&
      needsNothing(type) &&
      !suggested.some(({ target_type }) => target_type === type.target_type),
  );
  const titleOf = (target_type: string) =>
    types.find((type) => type.target_type === target_type)?.title ?? target_type;
  const renderTarget = (target: ChosenTarget, help: string) => {
    const isChosen = chosen.some((chosenTarget) => keyOf(chosenTarget) === keyOf(target));
    const detail = Object.values(target.config).filter((value) => typeof value === "string")[0];
    return (
      <CheckField
        key={keyOf(target)}
        checked={isChosen}
        onChange={() =>
          onChange(
            isChosen
              ? chosen.filter((chosenTarget) => keyOf(chosenTarget) !== keyOf(target))
              : [...chosen, target],
          )
        }
        label={
          <>
            <b className="font-medium">{titleOf(target.target_type)}</b>
            {detail !== undefined && (
              <code className="ml-1.5 text-xs break-all text-muted">{String(detail)}</code>
            )}
          </>
        }
        help={help}
      />
    );
  };
  return (
    <div className="space-y-3">
      {suggested.map(({ target_type, config, reason }) => renderTarget({ target_type, config }, reason))}
      {suggested.length === 0 && (
        <p className="text-sm text-muted">Nothing in particular is suggested for this address.</p>
      )}
      <details>
        <summary className="text-sm text-accent">More that can be measured ({otherTypes.length})</summary>
        <div className="mt-3 space-y-3">
          {otherTypes.map((type) =>
            renderTarget({ target_type: type.target_type, config: {} }, firstSentence(type.description)),
          )}
        </div>
      </details>
    </div>
  );
}
