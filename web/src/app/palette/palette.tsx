import * as Dialog from "@radix-ui/react-dialog";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { Command } from "cmdk";
import { useState } from "react";
import { type Entry, navigationGroups } from "@/app/palette/entries.ts";
import { switchOrg } from "@/app/shell/switch-org.ts";
import { cx } from "@/lib/class-names.ts";
import { orgsQuery, useOrg } from "@/lib/session.ts";
import { shortAddress } from "@/lib/text/units.ts";
import { rulesQuery } from "@/queries/alerts.ts";
import { contractsQuery } from "@/queries/contracts.ts";
import { overlayClass, panelClass } from "@/ui/dialog.tsx";
import { toast } from "@/ui/toast.tsx";

const maxFound = 8;

/** Search and jump: pages, actions, contracts, rules and organisations. */
export function Palette({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  const org = useOrg();
  const [text, setText] = useState("");
  const wanted = text.trim().toLowerCase();
  const { data: contracts = [] } = useQuery(contractsQuery(org));
  const { data: rules = [] } = useQuery(rulesQuery(org));
  const { data: orgs = [] } = useQuery(orgsQuery);
  const go = (to: string) => void router.navigate({ to });
  const matches = (...parts: string[]) =>
    wanted !== "" && parts.some((part) => part.toLowerCase().includes(wanted));
  const contractEntries: Entry[] = contracts
    .filter(({ label, address }) => matches(label, address))
    .slice(0, maxFound)
    .map(({ id, label, address, chain }) => ({
      id,
      label,
      hint: `${chain} ${shortAddress(address)}`,
      run: () => go(`/contracts/${id}`),
    }));
  const foundRules: Entry[] = rules
    .filter(({ name }) => matches(name))
    .slice(0, maxFound)
    .map(({ id, name, severity }) => ({ id, label: name, hint: severity, run: () => go(`/rules/${id}`) }));
  const isAddress = /^(0x[0-9a-f]{40}|[1-9a-z]{32,44})$/i.test(text.trim());
  const groups: [string, Entry[]][] = [
    ["Contracts", contractEntries],
    ["Rules", foundRules],
    [
      "Address",
      isAddress && contractEntries.length === 0
        ? [
            {
              id: "add",
              label: `Add contract ${shortAddress(text.trim())}`,
              run: () => go(`/contracts/new?address=${encodeURIComponent(text.trim())}`),
            },
          ]
        : [],
    ],
    ...navigationGroups(go),
    [
      "Organisations",
      orgs
        .filter(({ id }) => id !== org)
        .map(({ id, name }) => ({
          id,
          label: `Switch to ${name}`,
          run: () => switchOrg(id).catch(toast.failed),
        })),
    ],
  ];
  const shown = groups
    .map(
      ([title, entries]) =>
        [
          title,
          wanted === ""
            ? entries
            : entries.filter((entry) => isFound(entry) || matches(entry.label, entry.words ?? "")),
        ] as const,
    )
    .filter(([, entries]) => entries.length > 0);
  function isFound(entry: Entry) {
    return contractEntries.includes(entry) || foundRules.includes(entry) || entry.id === "add";
  }
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={overlayClass} />
        <Dialog.Content className={cx(panelClass, "max-w-xl p-0")} aria-describedby={undefined}>
          <Dialog.Title className="sr-only">Search or jump</Dialog.Title>
          <Command shouldFilter={false} label="Search or jump">
            <Command.Input
              value={text}
              onValueChange={setText}
              placeholder="A page, an action, a contract, an address…"
              className="h-12 w-full border-b border-line bg-transparent px-4 text-lg outline-none"
            />
            <Command.List className="max-h-[60vh] overflow-auto p-2">
              <Command.Empty className="p-4 text-sm text-muted">Nothing found.</Command.Empty>
              {shown.map(([title, entries]) => (
                <Command.Group key={title} heading={title} className="mb-2 text-xs font-medium text-muted">
                  {entries.map(({ id, label, hint, run }) => (
                    <Command.Item
                      key={id}
                      value={`${title} ${id}`}
                      onSelect={() => {
                        onClose();
                        run();
                      }}
                      className="flex h-9 cursor-pointer items-center justify-between gap-3 rounded px-2 text-sm font-normal text-text data-[selected=true]:bg-raised touch:h-11"
                    >
                      <span className="min-w-0 truncate">{label}</span>
                      {hint && <span className="shrink-0 text-xs text-muted">{hint}</span>}
                    </Command.Item>
                  ))}
                </Command.Group>
              ))}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
