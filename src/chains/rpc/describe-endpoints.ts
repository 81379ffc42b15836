import type { Endpoint } from "./endpoint/endpoint.ts";

/** Features that are a matter of speed only. */
const unimportant = new Set(["multicall"]);

/** Describes the endpoints that fail, limit the rate of calls or refuse requests, without their hosts. */
export function describeEndpoints(endpoints: readonly Endpoint[], isAuxiliary: boolean): string[] {
  return endpoints.flatMap(({ index, health, rate, unsupported }) => {
    const node = `Node ${index + 1} of ${endpoints.length}`;
    const failure = health.lastFailure();
    if (failure) return [`${node} ${failure.message}${isAuxiliary ? " when asked for state" : ""}.`];
    const refused = unsupported.list().filter((feature) => !unimportant.has(feature));
    const perSecond = rate.perSecond();
    return [
      ...health
        .intermittent()
        .map(
          (defect) =>
            `${node} ${defect.failure.message}${isAuxiliary ? " when asked for state" : ""}, at times: it failed this way ` +
            `${defect.times === 1 ? "once" : `${defect.times} times`} in the last 10 minutes.`,
        ),
      ...(Number.isFinite(perSecond)
        ? [`${node} limits the rate of calls, to about ${Math.round(perSecond)} a second.`]
        : []),
      ...(refused.length > 0
        ? [`${node} does not support ${refused.join(", ")}; other requests are used where there are any.`]
        : []),
    ];
  });
}
