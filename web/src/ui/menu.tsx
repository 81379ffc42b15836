import * as DropdownMenu from "@radix-ui/react-dropdown-menu";
import type { ReactNode } from "react";

export type MenuItem = {
  label: string;
  icon?: ReactNode;
  onSelect: () => void;
  isDanger?: boolean;
  hint?: string;
};

const itemClass =
  "flex h-8 cursor-pointer items-center gap-2 rounded px-2 text-sm outline-none select-none data-[highlighted]:bg-raised touch:h-11";

/** A menu of actions. An action that opens a dialog sets state in `onSelect`. */
export function Menu({
  trigger,
  items,
  children,
}: {
  trigger: ReactNode;
  items: MenuItem[];
  children?: ReactNode;
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="fade-in z-50 max-h-[70vh] min-w-48 max-w-[calc(100vw-16px)] overflow-auto rounded-lg border border-line bg-surface p-1 shadow-float"
        >
          {children}
          {items.map(({ label, icon, onSelect, isDanger, hint }) => (
            <DropdownMenu.Item
              key={label}
              onSelect={onSelect}
              className={`${itemClass} ${isDanger ? "text-critical" : ""}`}
            >
              {icon}
              <span className="min-w-0 flex-1 truncate">{label}</span>
              {hint && <span className="text-xs text-muted">{hint}</span>}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
