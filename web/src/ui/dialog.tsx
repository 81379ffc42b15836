import * as Radix from "@radix-ui/react-dialog";
import type { ReactNode } from "react";
import { cx } from "@/lib/class-names.ts";
import { IconButton } from "@/ui/button.tsx";
import { X } from "@/ui/icons.ts";

export const overlayClass = "fade-in fixed inset-0 z-40 bg-black/40";
export const panelClass =
  "fade-in fixed top-[8vh] left-1/2 z-50 max-h-[84vh] w-[calc(100vw-24px)] -translate-x-1/2 overflow-auto rounded-lg border border-line bg-surface p-4 shadow-float";

/** A modal dialog with a title. Open it by state, so that focus returns to where it came from. */
export function Dialog({
  isOpen,
  onClose,
  title,
  description,
  isWide = false,
  children,
}: {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  description?: string;
  isWide?: boolean;
  children: ReactNode;
}) {
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={overlayClass} />
        <Radix.Content
          className={cx(panelClass, isWide ? "max-w-2xl" : "max-w-md")}
          {...(!description && { "aria-describedby": undefined })}
        >
          <div className="mb-3 flex items-start justify-between gap-4">
            <div>
              <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
              {description && (
                <Radix.Description className="mt-0.5 text-sm text-muted">{description}</Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <IconButton label="Close" className="-mt-1 -mr-1">
                <X size={16} aria-hidden />
              </IconButton>
            </Radix.Close>
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
