import { useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ChannelStatus } from "@/features/channels/channel-status.tsx";
import { TestButton } from "@/features/channels/test-button.tsx";
import { useShortcuts } from "@/lib/browser/shortcuts.ts";
import { useCanEdit, useOrg } from "@/lib/session.ts";
import { channelsQuery, channelTypesQuery } from "@/queries/channels.ts";
import { buttonClass } from "@/ui/button.tsx";
import { Empty } from "@/ui/empty.tsx";
import { Page } from "@/ui/page.tsx";
import { Time } from "@/ui/time.tsx";

const route = getRouteApi("/channels");

export function ChannelsPage() {
  const navigate = route.useNavigate();
  const mayEdit = useCanEdit();
  const { data: channels } = useSuspenseQuery(channelsQuery(useOrg()));
  const { data: types } = useSuspenseQuery(channelTypesQuery);
  const titleOf = (type: string) => types.find((item) => item.type === type)?.title ?? type;
  useShortcuts([{ keys: "c", does: "Add a channel", run: () => void navigate({ to: "/channels/new" }) }]);
  const add = (
    <Link to="/channels/new" className={buttonClass("primary")}>
      Add channel
    </Link>
  );
  return (
    <Page
      title="Channels"
      lead="Where messages about alerts are sent."
      actions={mayEdit && channels.length > 0 && add}
    >
      {channels.length === 0 ? (
        <Empty
          title="No channels yet"
          actions={mayEdit && add}
          call={{
            method: "POST",
            path: "/channels",
            body: { type: "webhook", name: "On-call", config: { url: "https://example.com/hook" } },
          }}
        >
          A channel is the inbox of this dashboard, a Slack or Discord channel, an e-mail address, a phone
          number, a webhook or an on-call service.
        </Empty>
      ) : (
        <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
          {channels.map((channel) => (
            <li key={channel.id} className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-4">
              <div className="flex items-start justify-between gap-2">
                <div className="min-w-0">
                  <Link
                    to="/channels/$id"
                    params={{ id: channel.id }}
                    className="font-medium wrap-break-word hover:underline"
                  >
                    {channel.name}
                  </Link>
                  <p className="text-sm text-muted">
                    {titleOf(channel.type)} ·{" "}
                    {channel.min_severity === "info" ? "all alerts" : `${channel.min_severity} and above`}
                  </p>
                </div>
                <ChannelStatus {...channel} />
              </div>
              <p className="text-sm text-muted">
                {channel.last_success_at ? (
                  <Time at={channel.last_success_at} suffix="since the last delivery" />
                ) : (
                  "Nothing delivered yet"
                )}
              </p>
              {channel.last_error && channel.status !== "ok" && (
                <p className="text-sm wrap-break-word text-critical">{channel.last_error}</p>
              )}
              {mayEdit && (
                <div className="mt-auto flex gap-2 pt-1">
                  <TestButton channel={channel} />
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}
