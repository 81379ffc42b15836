import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { toBody } from "@/features/rules/form-values.ts";
import { ApiError } from "@/lib/api.ts";
import { useSettled } from "@/lib/browser/use-settled.ts";
import { useOrg } from "@/lib/session.ts";
import { messagePreviewQuery } from "@/queries/alerts.ts";
import type { Channel } from "@/queries/channels.ts";
import { ErrorText } from "@/ui/error-text.tsx";
import { SelectField } from "@/ui/form/field.tsx";

type Props = { body: ReturnType<typeof toBody>; channels: Channel[] };

/** The message that people would get, as each type of channel shows it; follows the inputs after a short pause. */
export function MessagePreview({ body, channels }: Props) {
  const { target_id, severity, condition, name, message_template } = body;
  const request = useSettled({ target_id, severity, condition, message_template, ...(name && { name }) });
  const { data: preview, error } = useQuery({
    ...messagePreviewQuery(useOrg(), request),
    placeholderData: keepPreviousData,
  });
  const chosen = channels.find(({ id }) => id === body.channel_id)?.type;
  const [picked, setPicked] = useState<string>();
  const type = picked ?? chosen ?? "email";
  const message = preview?.messages.find(({ channel_type }) => channel_type === type);
  const isInvalid = error instanceof ApiError && error.status === 422;
  return (
    <div className="space-y-3">
      <div className="w-52">
        <SelectField
          label="As it looks in"
          value={type}
          onChange={({ target }) => setPicked(target.value)}
          options={(preview?.messages ?? []).map(({ channel_type, channel_title }) => ({
            value: channel_type,
            label: channel_title,
          }))}
        />
      </div>
      {isInvalid && <p className="text-sm text-warning">{error.message}</p>}
      {error && !isInvalid && <ErrorText error={error} />}
      {message && !error && (
        <section
          aria-label="Example of the message"
          // A long message scrolls, also by keyboard.
          // biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable.
          tabIndex={0}
          className="max-h-80 overflow-auto rounded border border-line bg-bg p-3 text-sm"
        >
          {message.title && <p className="mb-2 font-semibold wrap-break-word">{message.title}</p>}
          <pre
            className={
              message.format === "json"
                ? "font-mono text-xs whitespace-pre-wrap break-all"
                : "font-sans whitespace-pre-wrap wrap-break-word"
            }
          >
            {message.text}
          </pre>
        </section>
      )}
      {preview && (
        <p className="text-xs text-muted">
          An example with a value that fulfils the condition.{" "}
          {preview.uses_reading
            ? "Addresses and amounts are those of the newest reading."
            : "There is no reading yet, so that names in ‹brackets› stand for addresses and amounts."}
        </p>
      )}
    </div>
  );
}
