import { useState } from "react";
import { api } from "@/lib/api.ts";
import type { Channel } from "@/queries/channels.ts";
import { Confirm } from "@/ui/confirm.tsx";
import { SelectField } from "@/ui/form/field.tsx";

type Props = {
  isOpen: boolean;
  onClose: () => void;
  channel: Channel;
  others: Channel[];
  onDeleted: () => void;
};

/** Deletes a channel. Its rules move to another channel, or only record from then on. */
export function DeleteChannel({ isOpen, onClose, channel, others: otherChannels, onDeleted }: Props) {
  const [replacement, setReplacement] = useState("");
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title={`Delete ${channel.name}?`}
      action="Delete channel"
      onConfirm={async () => {
        const query =
          replacement === "record" ? { force: true } : replacement ? { replace_with: replacement } : {};
        await api.DELETE("/api/v1/channels/{channel_id}", {
          params: { path: { channel_id: channel.id }, query },
        });
        onDeleted();
      }}
    >
      Messages that wait are not sent.
      <span className="mt-3 block text-text">
        <SelectField
          label="Rules that notify only this channel"
          value={replacement}
          onChange={({ target }) => setReplacement(target.value)}
          options={[
            { value: "", label: "keep the channel if there are any" },
            ...otherChannels.map(({ id, name }) => ({ value: id, label: `notify ${name} instead` })),
            { value: "record", label: "only record alerts" },
          ]}
        />
      </span>
    </Confirm>
  );
}
