import { Link } from "@tanstack/react-router";
import type { Channel } from "@/queries/channels.ts";
import { SelectField } from "@/ui/form/field.tsx";

const templateCategories = [
  ...(["lending", "dex", "bridge", "oracle", "governance"] as const),
  ...(["token", "vault", "proxy", "safe", "wallet"] as const),
] as const;
export type Category = (typeof templateCategories)[number] | "recommended" | "";

type Props = {
  channels: Channel[];
  category: Category;
  onCategory: (category: Category) => void;
  channel: string;
  onChannel: (channel: string) => void;
};

/** Step three: recommended rules for a kind of contract, and who is notified. */
export function ChooseNotice({ channels, category, onCategory, channel, onChannel }: Props) {
  return (
    <div className="space-y-3">
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label="Recommended rules"
          value={category}
          onChange={({ target }) => onCategory(target.value as Category)}
          options={[
            { value: "", label: "None for now" },
            { value: "recommended", label: "Recommended rules" },
            ...templateCategories.map((value) => ({ value, label: `Rules for ${value}` })),
          ]}
          help="Thresholds from past incidents. Rules that do not fit this contract are left out."
        />
        <SelectField
          label="Notify"
          value={channel}
          onChange={({ target }) => onChannel(target.value)}
          disabled={category === "" || channels.length === 0}
          options={[
            { value: "", label: "Choose a channel" },
            ...channels.map(({ id, name, type }) => ({ value: id, label: `${name} (${type})` })),
          ]}
        />
      </div>
      {channels.length === 0 && (
        <p className="text-sm">
          There is no channel yet.{" "}
          <Link to="/channels/new" className="text-accent underline">
            Add one
          </Link>{" "}
          to be notified, or add rules later.
        </p>
      )}
    </div>
  );
}
