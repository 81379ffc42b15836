/** A signal that aborts on the timeout or on the caller's signal. Call `clear` when the work has ended. */
export function startDeadline({
  timeoutMs = 10_000,
  signal,
}: {
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const giveUp = () => controller.abort();
  const timer = setTimeout(giveUp, timeoutMs);
  if (signal?.aborted) giveUp();
  signal?.addEventListener("abort", giveUp);
  const clear = () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
  };
  return { signal: controller.signal, clear };
}
