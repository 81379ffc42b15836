import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MessageItem } from "@/features/inbox/message-item.tsx";
import { useMarkRead } from "@/features/inbox/use-mark-read.ts";
import { useCanEdit, useOrg } from "@/lib/session.ts";
import { channelsQuery } from "@/queries/channels.ts";
import { inboxQuery } from "@/queries/inbox.ts";
import { Button, buttonClass } from "@/ui/button.tsx";
import { Empty } from "@/ui/empty.tsx";
import { Page } from "@/ui/page.tsx";

export function InboxPage() {
  const org = useOrg();
  const mayEdit = useCanEdit();
  const { data: inbox } = useSuspenseQuery(inboxQuery(org));
  const { data: channels } = useSuspenseQuery(channelsQuery(org));
  const mark = useMarkRead();
  const { unread, messages } = inbox;
  const newest = messages[0]?.received_at;
  const hasChannel = channels.some(({ type }) => type === "inbox");
  return (
    <Page
      title="Inbox"
      lead={<span role="status">{unreadText(unread)}</span>}
      actions={
        unread > 0 &&
        newest && (
          <Button isBusy={mark.isPending} onClick={() => mark.mutate({ until: newest })}>
            Mark all as read
          </Button>
        )
      }
    >
      {messages.length > 0 ? (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {messages.map((message) => (
            <MessageItem
              key={message.id}
              message={message}
              onRead={(id) => mark.mutate({ message_ids: [id] })}
            />
          ))}
        </ul>
      ) : hasChannel ? (
        <Empty title="No messages yet">
          Messages about alerts arrive here by themselves, from rules that notify an inbox channel.
        </Empty>
      ) : (
        <Empty
          title="No inbox channel yet"
          actions={
            mayEdit && (
              <Link to="/channels/new" search={{ type: "inbox" }} className={buttonClass("primary")}>
                Add an inbox channel
              </Link>
            )
          }
          call={{ method: "POST", path: "/channels", body: { type: "inbox", name: "Inbox", config: {} } }}
        >
          An inbox channel delivers alerts to this page. It needs no other service.
        </Empty>
      )}
    </Page>
  );
}

function unreadText(unread: number): string {
  if (unread === 0) return "Everything is read.";
  return unread === 1 ? "1 unread message." : `${unread} unread messages.`;
}
