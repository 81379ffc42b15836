import {
  Bell,
  BellOff,
  FileCode2,
  FileUp,
  Inbox,
  Layers,
  LayoutDashboard,
  Megaphone,
  SlidersHorizontal,
} from "@/ui/icons.ts";

/** The sections of the product, in the order of the menu, with the second key of their shortcut. */
export const sections = [
  { to: "/", label: "Overview", icon: LayoutDashboard, key: "o" },
  { to: "/alerts", label: "Alerts", icon: Bell, key: "a" },
  { to: "/inbox", label: "Inbox", icon: Inbox, key: "i" },
  { to: "/contracts", label: "Contracts", icon: FileCode2, key: "c" },
  { to: "/rules", label: "Rules", icon: SlidersHorizontal, key: "r" },
  { to: "/policies", label: "Policies", icon: Layers, key: "p" },
  { to: "/channels", label: "Channels", icon: Megaphone, key: "n" },
  { to: "/silences", label: "Silences", icon: BellOff, key: "s" },
  { to: "/imports", label: "Imports", icon: FileUp, key: "m" },
] as const;
