import { useEffect, useSyncExternalStore } from "react";

/** Keys such as "?" or "g c" (one after the other), with what they do, for the list of shortcuts. */
export type Shortcut = { keys: string; does: string; run: () => void };

let active: Shortcut[] = [];
let pending = "";
let pendingTimer = 0;
const listeners = new Set<() => void>();
const storageKey = "tocsin-shortcuts-off";

function change(next: Shortcut[]): void {
  active = next;
  for (const listener of listeners) listener();
}

/** Single-key shortcuts can be turned off: dictation software types letters. */
export function areShortcutsOff(): boolean {
  return localStorage.getItem(storageKey) === "1";
}

export function setShortcutsOff(isOff: boolean): void {
  localStorage.setItem(storageKey, isOff ? "1" : "0");
}

/** Registers the shortcuts of a component while it is shown. */
export function useShortcuts(shortcuts: Shortcut[]): void {
  useEffect(() => {
    change([...active, ...shortcuts]);
    return () => change(active.filter((shortcut) => !shortcuts.includes(shortcut)));
  });
}

/** The shortcuts of the current page. */
export function useActiveShortcuts(): Shortcut[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => active,
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]");
}

/** Handles a key of the page. */
export function handleKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
    return;
  // Keys belong to an open dialog or menu.
  if (document.querySelector("[role=dialog], [role=alertdialog], [role=menu]") || areShortcutsOff()) return;
  const pressed = pending ? `${pending} ${event.key}` : event.key;
  pending = "";
  const shortcut = active.findLast(({ keys }) => keys === pressed);
  if (shortcut) {
    event.preventDefault();
    shortcut.run();
    return;
  }
  if (active.some(({ keys }) => keys.startsWith(`${pressed} `))) {
    pending = pressed;
    clearTimeout(pendingTimer);
    pendingTimer = window.setTimeout(() => {
      pending = "";
    }, 1_500);
  }
}
