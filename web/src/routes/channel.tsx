import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, notFound } from "@tanstack/react-router";
import { useState } from "react";
import { Deliveries } from "@/features/alerts/deliveries.tsx";
import { ChannelForm } from "@/features/channels/channel-form.tsx";
import { ChannelStatus } from "@/features/channels/channel-status.tsx";
import { DeleteChannel } from "@/features/channels/delete-channel.tsx";
import { SecretDialog } from "@/features/channels/secret-dialog.tsx";
import { SmsNumbers } from "@/features/channels/sms-numbers.tsx";
import { TestButton } from "@/features/channels/test-button.tsx";
import { api, data, type Schemas } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import { useCanEdit, useOrg } from "@/lib/session.ts";
import { channelsQuery, channelTypesQuery } from "@/queries/channels.ts";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { Page } from "@/ui/page.tsx";
import { toast } from "@/ui/toast.tsx";

const newRoute = getRouteApi("/channels/new");
const route = getRouteApi("/channels/$id");

export function NewChannelPage() {
  const search = newRoute.useSearch();
  const navigate = newRoute.useNavigate();
  const org = useOrg();
  const client = useQueryClient();
  const { data: types } = useSuspenseQuery(channelTypesQuery);
  const [secret, setSecret] = useState<{ text: string; id: string }>();
  const type = types.find((type) => type.type === search.type);
  const open = (id: string) => void navigate({ to: "/channels/$id", params: { id } });
  return (
    <Page
      title={type ? `Add ${type.title}` : "Add a channel"}
      lead={type ? undefined : "Where should messages about alerts go?"}
    >
      {!type && (
        <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3">
          {types.map(({ type: value, title }) => (
            <li key={value}>
              <Button className="h-14! w-full" onClick={() => void navigate({ search: { type: value } })}>
                {title}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {type && (
        <div className="max-w-2xl space-y-4">
          <Card>
            <ChannelForm
              type={type}
              action="Add and send a test"
              onSubmit={async ({ name, min_severity, config }) => {
                // The form was made from the schema of the type, which the compiler does not know.
                const body = { type: type.type, name, min_severity, config } as Schemas["ChannelCreate"];
                const channel = await data(api.POST("/api/v1/channels", { body }));
                await client.invalidateQueries({ queryKey: keys(org).channels });
                await api
                  .POST("/api/v1/channels/{channel_id}/test", {
                    params: { path: { channel_id: channel.id } },
                  })
                  .then(
                    () => toast.done(`${channel.name} works: the test message was accepted.`),
                    toast.failed,
                  );
                const generated = channel.type === "webhook" ? channel.config.secret : undefined;
                if (generated?.startsWith("whsec_") && !config.secret)
                  setSecret({ text: generated, id: channel.id });
                else open(channel.id);
              }}
            />
          </Card>
          {type.type === "sms" && <SmsNumbers />}
        </div>
      )}
      <SecretDialog secret={secret?.text} onClose={() => secret && open(secret.id)} />
    </Page>
  );
}

export function ChannelPage() {
  const { id } = route.useParams();
  const navigate = route.useNavigate();
  const org = useOrg();
  const client = useQueryClient();
  const mayEdit = useCanEdit();
  const { data: channels } = useSuspenseQuery(channelsQuery(org));
  const { data: types } = useSuspenseQuery(channelTypesQuery);
  const [isDeleting, setDeleting] = useState(false);
  const channel = channels.find((channel) => channel.id === id);
  const type = types.find((type) => type.type === channel?.type);
  if (!channel || !type) throw notFound();
  const path = { params: { path: { channel_id: id } } };
  const refresh = () => client.invalidateQueries({ queryKey: keys(org).channels });
  async function setEnabled(is_enabled: boolean) {
    await api.PATCH("/api/v1/channels/{channel_id}", { ...path, body: { is_enabled } }).catch(toast.failed);
    await refresh();
  }
  return (
    <Page
      title={channel.name}
      lead={<ChannelStatus {...channel} />}
      actions={
        mayEdit && (
          <>
            <TestButton channel={channel} />
            <Button onClick={() => void setEnabled(!channel.is_enabled)}>
              {channel.is_enabled ? "Turn off" : "Turn on"}
            </Button>
            <Button look="danger" onClick={() => setDeleting(true)}>
              Delete
            </Button>
          </>
        )
      }
    >
      <div className="max-w-3xl space-y-4">
        {channel.last_error && channel.status !== "ok" && <ErrorText error={new Error(channel.last_error)} />}
        {mayEdit && (
          <Card title="Settings">
            <ChannelForm
              type={type}
              channel={channel}
              action="Save"
              onSubmit={async (body) => {
                await api.PATCH("/api/v1/channels/{channel_id}", { ...path, body });
                await refresh();
                toast.done("The channel is saved. Send a test to see that it works.");
              }}
            />
          </Card>
        )}
        {channel.type === "sms" && <SmsNumbers />}
        <Card title="Messages">
          <Deliveries
            filter={{ channel_id: id, limit: 50 }}
            none="No message was sent to this channel yet."
          />
        </Card>
      </div>
      <DeleteChannel
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        channel={channel}
        others={channels.filter((channel) => channel.id !== id)}
        onDeleted={() => {
          void navigate({ to: "/channels" });
          void refresh();
        }}
      />
    </Page>
  );
}
