import * as Radix from "@radix-ui/react-tabs";
import { type ReactNode, useEffect, useRef } from "react";

export type Tab = { value: string; label: string; count?: number | undefined };

/** Tabs whose choice belongs to the URL; the content of the others is not rendered. */
export function Tabs({
  tabs,
  value,
  onChange,
  children,
}: {
  tabs: Tab[];
  value: string;
  onChange: (value: string) => void;
  children: ReactNode;
}) {
  const list = useRef<HTMLDivElement>(null);
  // On a phone not all tabs fit. The page itself must not scroll to the tab, as scrollIntoView would.
  useEffect(() => {
    const [all, chosen] = [list.current, list.current?.querySelector<HTMLElement>(`[data-tab="${value}"]`)];
    if (all && chosen) all.scrollLeft = chosen.offsetLeft - (all.clientWidth - chosen.offsetWidth) / 2;
  }, [value]);
  return (
    <Radix.Root value={value} onValueChange={onChange} activationMode="manual">
      <Radix.List
        ref={list}
        className="relative mb-4 flex gap-1 overflow-x-auto border-b border-line"
        aria-label="Sections"
      >
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            data-tab={tab.value}
            className="-mb-px h-9 shrink-0 border-b-2 border-transparent px-3 text-sm text-muted outline-offset-[-2px] hover:text-text data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-text touch:h-11"
          >
            {tab.label}
            {tab.count !== undefined && <span className="ml-1 text-xs text-muted">{tab.count}</span>}
          </Radix.Trigger>
        ))}
      </Radix.List>
      <Radix.Content value={value} className="outline-offset-4">
        {children}
      </Radix.Content>
    </Radix.Root>
  );
}
