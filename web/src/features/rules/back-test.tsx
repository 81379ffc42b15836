import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { isComparedWithValue, limitText } from "@/features/rules/sentence.ts";
import { ApiError, api, data, type Schemas } from "@/lib/api.ts";
import { useSettled } from "@/lib/browser/use-settled.ts";
import { keys } from "@/lib/keys.ts";
import { useOrg } from "@/lib/session.ts";
import { formatDuration } from "@/lib/text/units.ts";
import type { Condition } from "@/queries/alerts.ts";
import { type SeriesQuery, seriesQuery } from "@/queries/contracts.ts";
import { Button } from "@/ui/button.tsx";
import { TimeSeries } from "@/ui/chart/time-series.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { SelectField } from "@/ui/form/field.tsx";

const spans = [
  { value: "86400", label: "Last 24 hours" },
  { value: "259200", label: "Last 3 days" },
  { value: "604800", label: "Last 7 days" },
];

type Props = {
  target_id: string;
  condition: Condition;
  for_seconds: number;
  unit: string | null | undefined;
  onSuggest: (threshold: number) => void;
};

/** What the rule would have done on stored values; follows the inputs after a short pause. */
export function BackTest(props: Props) {
  const [span, setSpan] = useState("86400");
  // Whole minutes, so that the same question is not asked again with another second.
  const [to] = useState(() => new Date(Math.floor(Date.now() / 60_000) * 60_000 + 60_000).toISOString());
  const from = new Date(Date.parse(to) - Number(span) * 1_000).toISOString();
  const request = useSettled({
    target_id: props.target_id,
    condition: props.condition,
    for_seconds: props.for_seconds,
    from,
    to,
  });
  const org = useOrg();
  const {
    data: result,
    error,
    isFetching,
  } = useQuery({
    queryKey: [...keys(org).all, "back-test", request],
    queryFn: ({ signal }) => data(api.POST("/api/v1/alerts/backtest", { body: request, signal })),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const { aggregation, window_seconds, operator, threshold } = request.condition;
  const query = {
    from,
    to,
    ...(aggregation && { aggregation }),
    ...(window_seconds && aggregation !== "each" && { window_seconds }),
  } as SeriesQuery;
  const { data: series } = useQuery({
    ...seriesQuery(org, request.target_id, query),
    placeholderData: keepPreviousData,
  });
  const edge = operator === "lt" || operator === "lte" ? "min" : "max";
  const isInvalid = error instanceof ApiError && error.status === 422;
  return (
    <div className="space-y-3" aria-busy={isFetching}>
      <div className="w-44">
        <SelectField
          label="Range"
          isLabelHidden
          value={span}
          onChange={({ target }) => setSpan(target.value)}
          options={spans}
        />
      </div>
      {isInvalid && <p className="text-sm text-warning">{error.message}</p>}
      {error && !isInvalid && <ErrorText error={error} />}
      {series && result && (
        <TimeSeries
          title="Back-test"
          summary={<Summary result={result} hasLimit={isComparedWithValue(operator)} />}
          times={series.points.map(({ at }) => Date.parse(at) / 1_000)}
          values={series.points.map((point) => point[edge])}
          unit={props.unit ?? null}
          span={[Date.parse(from) / 1_000, Date.parse(to) / 1_000]}
          marks={{
            threshold: isComparedWithValue(operator) ? threshold : undefined,
            spans: result.episodes.map(({ fired_at, resolved_at }) => ({
              from: Date.parse(fired_at) / 1_000,
              to: Date.parse(resolved_at ?? fired_at) / 1_000,
            })),
          }}
        />
      )}
      {result?.suggested_threshold !== null &&
        result?.suggested_threshold !== undefined &&
        result.suggested_threshold !== threshold && (
          <p className="flex flex-wrap items-center gap-2 text-sm">
            With a limit of {limitText(operator, result.suggested_threshold, props.unit)} it would fire at
            most once a day.
            <Button isSmall onClick={() => props.onSuggest(result.suggested_threshold ?? 0)}>
              Use it
            </Button>
          </p>
        )}
    </div>
  );
}

const daySeconds = 86_400;

function Summary({ result, hasLimit }: { result: Schemas["BacktestResult"]; hasLimit: boolean }) {
  const { episodes, fires_per_day, samples, data_from, data_to } = result;
  if (samples === 0)
    return (
      <>
        There are no stored values in this range yet. The target is measured from the block after it was
        added.
      </>
    );
  if (episodes.length === 0) return <>Would not have fired. {samples.toLocaleString("en")} readings.</>;
  // A rate of a day says little after an hour.
  const dataSeconds = (Date.parse(data_to ?? result.to) - Date.parse(data_from ?? result.from)) / 1_000;
  const longest = Math.max(
    ...episodes.map(({ fired_at, resolved_at }) =>
      resolved_at ? Date.parse(resolved_at) - Date.parse(fired_at) : 0,
    ),
  );
  return (
    <>
      <b className="font-medium text-text">
        Would have fired {episodes.length} {episodes.length === 1 ? "time" : "times"}
      </b>{" "}
      {dataSeconds < daySeconds
        ? `in ${formatDuration(dataSeconds)} of stored values`
        : `(${fires_per_day.toFixed(1)} a day)`}
      {longest > 0 && `; longest ${formatDuration(longest / 1_000)}`}.
      {hasLimit && " The dashed line is the limit."}
    </>
  );
}
