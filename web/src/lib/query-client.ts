import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "@/lib/api.ts";

const maxRetries = 2;

/** Repeats what may succeed the next time: lost connections, failures of the service, and limits after their wait. */
function shouldRetry(count: number, error: unknown): boolean {
  if (count >= maxRetries) return false;
  if (error instanceof ApiError) return error.status >= 500 || error.status === 429;
  return error instanceof TypeError;
}

function retryDelayMs(count: number, error: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  return asked ? asked * 1_000 : 500 * 2 ** count;
}

/** The stream says what changed, so data is not fetched again for half a minute without a reason. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 30_000, retry: shouldRetry, retryDelay: retryDelayMs, refetchOnWindowFocus: false },
  },
});
