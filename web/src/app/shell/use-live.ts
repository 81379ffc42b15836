import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { onSwitch } from "@/app/shell/switch-org.ts";
import { makeApplier } from "@/lib/live/apply-message.ts";
import { announceAlert } from "@/lib/live/new-alerts.ts";
import { type AlertMessage, listen, type Message, type StreamState } from "@/lib/live/stream.ts";
import { goToLogIn, isSignedOut, meQuery, useOrg } from "@/lib/session.ts";

export type Live = {
  state: StreamState | "paused";
  isPaused: boolean;
  setPaused: (isPaused: boolean) => void;
  /** Set when another tab switched to another organisation: this page shows the old one. */
  otherOrg: string | undefined;
};

/** Applies the live messages of the organisation to this tab, unless it is paused. */
export function useLive(): Live {
  const client = useQueryClient();
  const org = useOrg();
  const [state, setState] = useState<StreamState>("connecting");
  const [isPaused, setPausedState] = useState(false);
  const [otherOrg, setOtherOrg] = useState<string>();
  const heldMessages = useRef<Message[] | undefined>(undefined);
  const apply = useRef<(message: Message) => void>(() => undefined);
  useEffect(() => {
    const stop = new AbortController();
    const applyToCache = makeApplier(client, org);
    apply.current = (message) => {
      applyToCache(message);
      if (message.name === "alert.fired") announceAlert(message.data as AlertMessage);
    };
    const check = async () => {
      try {
        const me = await client.fetchQuery({ ...meQuery, staleTime: 0, retry: false });
        if (me.active_org_id !== org) setOtherOrg(me.active_org_id ?? undefined);
      } catch (error) {
        if (isSignedOut(error)) goToLogIn();
      }
    };
    listen({
      org,
      signal: stop.signal,
      onState: setState,
      onFailure: () => void check(),
      onMessage: (message) =>
        heldMessages.current ? heldMessages.current.push(message) : apply.current(message),
    });
    const unsubscribe = onSwitch((id) => id !== org && setOtherOrg(id));
    // A page that is kept in memory for the back button must not hold the connection.
    const onHide = () => stop.abort();
    const onShow = (event: PageTransitionEvent) => event.persisted && location.reload();
    addEventListener("pagehide", onHide);
    addEventListener("pageshow", onShow);
    return () => {
      stop.abort();
      unsubscribe();
      removeEventListener("pagehide", onHide);
      removeEventListener("pageshow", onShow);
    };
  }, [client, org]);
  function setPaused(pause: boolean) {
    setPausedState(pause);
    const messages = heldMessages.current;
    heldMessages.current = pause ? [] : undefined;
    for (const message of messages ?? []) apply.current(message);
  }
  return { state: isPaused ? "paused" : state, isPaused, setPaused, otherOrg };
}
