import * as Radix from "@radix-ui/react-switch";

/** Turns something on or off at once. */
export function Switch({
  label,
  isOn,
  onChange,
  isDisabled = false,
}: {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  isDisabled?: boolean;
}) {
  return (
    <Radix.Root
      aria-label={label}
      checked={isOn}
      onCheckedChange={onChange}
      disabled={isDisabled}
      className="relative h-6 w-10 shrink-0 rounded-full border border-line-strong bg-raised data-[state=checked]:border-accent data-[state=checked]:bg-accent disabled:opacity-55"
    >
      <Radix.Thumb className="block size-4 translate-x-1 rounded-full bg-line-strong data-[state=checked]:translate-x-[19px] data-[state=checked]:bg-on-accent" />
    </Radix.Root>
  );
}
