import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, data } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import { useOrg, useSession } from "@/lib/session.ts";
import { smsNumbersQuery } from "@/queries/channels.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { TextField } from "@/ui/form/field.tsx";
import { toast } from "@/ui/toast.tsx";

/** The phone numbers of the organisation, and the code that confirms a new one. */
export function SmsNumbers() {
  const org = useOrg();
  const client = useQueryClient();
  const isAdmin = useSession().org.role === "admin";
  const { data: numbers = [], error } = useQuery(smsNumbersQuery(org));
  const [pending, setPending] = useState<string>();
  const settle = { onSettled: () => client.invalidateQueries({ queryKey: keys(org).channels }) };
  const request = useMutation({
    mutationFn: (phone: string) => data(api.POST("/api/v1/sms-numbers", { body: { phone } })),
    onSuccess: ({ status, number }) => {
      if (status === "code_sent") setPending(number?.id);
      else
        toast.done(
          status === "confirmed" ? "The number is confirmed already." : "This number needs no code.",
        );
    },
    ...settle,
  });
  const confirm = useMutation({
    mutationFn: ({ id, code }: { id: string; code: string }) =>
      api.POST("/api/v1/sms-numbers/{number_id}/confirm", {
        params: { path: { number_id: id } },
        body: { code },
      }),
    onSuccess: () => {
      setPending(undefined);
      toast.done("The number is confirmed.");
    },
    ...settle,
  });
  const remove = useMutation({
    mutationFn: (id: string) =>
      api.DELETE("/api/v1/sms-numbers/{number_id}", { params: { path: { number_id: id } } }),
    onError: toast.failed,
    ...settle,
  });
  const submit = (work: (form: FormData) => void) => (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    work(new FormData(event.currentTarget));
  };
  return (
    <Card title="Phone numbers">
      {error && <ErrorText error={error} />}
      <ul className="mb-3 space-y-1">
        {numbers.map(({ id, phone, confirmed_at }) => (
          <li key={id} className="flex flex-wrap items-center gap-2 text-sm">
            {phone}{" "}
            {confirmed_at ? (
              <Badge tone="ok">confirmed</Badge>
            ) : (
              <Badge tone="warning">waits for its code</Badge>
            )}
            {isAdmin && (
              <Button isSmall look="plain" aria-label={`Remove ${phone}`} onClick={() => remove.mutate(id)}>
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      {!isAdmin && <p className="text-sm text-muted">An admin confirms new numbers.</p>}
      {isAdmin && !pending && (
        <form
          onSubmit={submit((form) => request.mutate(String(form.get("phone")).trim()))}
          className="flex flex-wrap items-end gap-2"
        >
          <TextField name="phone" type="tel" label="New number, such as +15551234567" required />
          <Button type="submit" isBusy={request.isPending}>
            Send code
          </Button>
        </form>
      )}
      {isAdmin && pending && (
        <form
          onSubmit={submit((form) => confirm.mutate({ id: pending, code: String(form.get("code")).trim() }))}
          className="flex flex-wrap items-end gap-2"
        >
          <TextField
            name="code"
            label="Code in the text message"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
          />
          <Button type="submit" look="primary" isBusy={confirm.isPending}>
            Confirm
          </Button>
        </form>
      )}
      {(request.error ?? confirm.error) && (
        <ErrorText error={request.error ?? confirm.error} className="mt-3" />
      )}
    </Card>
  );
}
