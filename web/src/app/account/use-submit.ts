import { type FormEvent, useState } from "react";
import { ApiError } from "@/lib/api.ts";

export type Submission = ReturnType<typeof useSubmit>;

/** Runs the submission of a form: busy while it runs, then the problems by field, or as a whole. */
export function useSubmit(work: (form: FormData) => Promise<void>) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const fields = error instanceof ApiError ? error.fields : {};
  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await work(new FormData(event.currentTarget));
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  }
  /** The problem that belongs to none of the fields of the form. */
  const general = error !== undefined && Object.keys(fields).length === 0 ? error : undefined;
  return { isBusy, fields, general, onSubmit };
}
