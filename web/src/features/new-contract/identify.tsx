import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, data } from "@/lib/api.ts";
import { parsePasted } from "@/lib/text/pasted-address.ts";
import type { Chain, Inspection } from "@/queries/contracts.ts";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { SelectField, TextField } from "@/ui/form/field.tsx";

type Props = {
  chains: Chain[];
  initial: { address?: string | undefined; chain?: string | undefined };
  onFound: (found: Inspection | undefined) => void;
};

/** Step one: an address or a link to it, and the chain; then Tocsin looks at what is there. */
export function Identify({ chains, initial, onFound }: Props) {
  const [text, setText] = useState(initial.address ?? "");
  const [chosen, setChosen] = useState(initial.chain);
  const [problem, setProblem] = useState<string>();
  const pasted = parsePasted(text, chains);
  const chain = pasted?.chain ?? chosen ?? chains[0]?.chain ?? "";
  const inspect = useMutation({
    mutationFn: (body: { chain: string; address: string }) =>
      data(api.POST("/api/v1/contracts/inspect", { body })),
    onSuccess: onFound,
  });
  function inspectPasted(event: FormEvent) {
    event.preventDefault();
    onFound(undefined);
    setProblem(
      pasted
        ? undefined
        : "Paste an address, such as 0x5aAe…eAed, or a link of an explorer that contains one.",
    );
    if (pasted) inspect.mutate({ chain, address: pasted.address });
  }
  return (
    <Card title="1. Which contract or wallet?">
      <form onSubmit={inspectPasted} className="grid items-start gap-3 sm:grid-cols-[1fr_240px_auto]">
        <TextField
          label="Address or explorer link"
          value={text}
          onChange={({ target }) => setText(target.value)}
          error={problem}
          autoFocus
          spellCheck={false}
          autoComplete="off"
          className="font-mono"
        />
        <SelectField
          label="Chain"
          value={chain}
          onChange={({ target }) => setChosen(target.value)}
          options={chains.map(({ chain: value, name }) => ({ value, label: name }))}
        />
        <Button type="submit" look="primary" isBusy={inspect.isPending} className="sm:mt-[22px]">
          {inspect.isPending ? "Inspecting…" : "Inspect"}
        </Button>
      </form>
      {chains.length === 0 && (
        <p className="mt-2 text-sm text-warning">
          No chain is enabled. The operator of this service sets one up with an RPC address.
        </p>
      )}
      {inspect.error && <ErrorText error={inspect.error} className="mt-3" />}
    </Card>
  );
}
