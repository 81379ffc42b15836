import { type ReactNode, useEffect, useState } from "react";
import { Button } from "@/ui/button.tsx";
import { ErrorText } from "@/ui/error-text.tsx";

/** Loads what a link is about. It changes nothing: programs that scan mails open links too. */
export function usePreview<Preview>(load: () => Promise<Preview>) {
  const [preview, setPreview] = useState<Preview>();
  const [error, setError] = useState<unknown>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the link does not change while its page is open.
  useEffect(() => {
    let isCurrent = true;
    load().then(
      (loaded) => isCurrent && setPreview(() => loaded),
      (failure) => isCurrent && setError(failure),
    );
    return () => {
      isCurrent = false;
    };
  }, []);
  return { preview, error };
}

/** The one button of a link's page, and below it what happened. */
export function LinkAction({
  label,
  done: doneText,
  onPress,
}: {
  label: string;
  done: ReactNode;
  onPress: () => Promise<unknown>;
}) {
  const [state, setState] = useState<"ready" | "busy" | "done">("ready");
  const [error, setError] = useState<unknown>();
  async function press() {
    setState("busy");
    setError(undefined);
    try {
      await onPress();
      setState("done");
    } catch (failure) {
      setError(failure);
      setState("ready");
    }
  }
  if (state === "done") return <div role="status">{doneText}</div>;
  return (
    <>
      <Button look="primary" isBusy={state === "busy"} onClick={press}>
        {label}
      </Button>
      {error !== undefined && <ErrorText error={error} />}
    </>
  );
}
