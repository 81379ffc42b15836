import { chooseTheme } from "@/app/shell/choose-theme.ts";
import { sections } from "@/app/shell/navigation.ts";
import { copyText } from "@/lib/browser/clipboard.ts";
import { toast } from "@/ui/toast.tsx";

export type Entry = {
  id: string;
  label: string;
  hint?: string;
  /** Other words that people search for. */
  words?: string;
  run: () => unknown;
};

/** What can be done from everywhere. */
export function navigationGroups(go: (to: string) => void): [string, Entry[]][] {
  const base = `${location.origin}/api/v1`;
  return [
    ["Go to", sections.map(({ to, label, key }) => ({ id: to, label, hint: `g ${key}`, run: () => go(to) }))],
    [
      "Create",
      [
        {
          id: "new-contract",
          label: "Add a contract",
          words: "watch monitor address wallet",
          run: () => go("/contracts/new"),
        },
        {
          id: "new-rule",
          label: "Create a rule",
          words: "alert threshold condition",
          run: () => go("/rules/new"),
        },
        {
          id: "new-channel",
          label: "Add a channel",
          words: "slack email webhook notify",
          run: () => go("/channels/new"),
        },
        {
          id: "new-silence",
          label: "Silence alerts",
          words: "mute maintenance quiet",
          run: () => go("/silences"),
        },
      ],
    ],
    [
      "Settings",
      [
        { id: "light", label: "Light theme", words: "colour color bright", run: () => chooseTheme("light") },
        { id: "dark", label: "Dark theme", words: "colour color night", run: () => chooseTheme("dark") },
        {
          id: "system",
          label: "Theme of the device",
          words: "colour color system",
          run: () => chooseTheme("system"),
        },
        {
          id: "base-url",
          label: "Copy the address of the API",
          words: "base url curl",
          run: () => copyText(base).then(() => toast.done(`Copied ${base}`)),
        },
        {
          id: "redoc",
          label: "API reference",
          words: "docs documentation openapi",
          run: () => location.assign("/redoc"),
        },
      ],
    ],
  ];
}
