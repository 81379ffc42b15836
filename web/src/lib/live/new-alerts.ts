import { useSyncExternalStore } from "react";
import type { AlertMessage } from "@/lib/live/stream.ts";

/** Alerts that arrived on the stream since a list was loaded; the list offers to show them. */
let arrived: AlertMessage[] = [];
const listeners = new Set<() => void>();

function change(next: AlertMessage[]): void {
  arrived = next;
  for (const listener of listeners) listener();
}

export function announceAlert(alert: AlertMessage): void {
  change([...arrived.filter(({ id }) => id !== alert.id), alert].slice(-500));
}

export function useNewAlerts(): AlertMessage[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => arrived,
  );
}
