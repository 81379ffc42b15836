import { useState } from "react";
import { severities } from "@/lib/severity.ts";
import { Address } from "@/ui/address.tsx";
import { Amount } from "@/ui/amount.tsx";
import { ApiCall } from "@/ui/api-call.tsx";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { Card, Facts } from "@/ui/card.tsx";
import { TimeSeries } from "@/ui/chart/time-series.tsx";
import { Confirm } from "@/ui/confirm.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { Empty } from "@/ui/empty.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { CheckField, SelectField, TextArea, TextField } from "@/ui/form/field.tsx";
import { Switch } from "@/ui/form/switch.tsx";
import { Menu } from "@/ui/menu.tsx";
import { Page } from "@/ui/page.tsx";
import { SeverityBadge } from "@/ui/severity.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import { ProximityBar, Sparkline } from "@/ui/sparkline.tsx";
import { Tabs } from "@/ui/tabs.tsx";
import { Time } from "@/ui/time.tsx";
import { toast } from "@/ui/toast.tsx";

const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const start = 1_790_000_000;
const wave = Array.from({ length: 60 }, (_, index) => 60 + 40 * Math.sin(index / 6));

/** Every component of the design system, for people who change it. */
export function GalleryPage() {
  const [open, setOpen] = useState<"dialog" | "confirm">();
  const [tab, setTab] = useState("one");
  const [isOn, setOn] = useState(true);
  return (
    <Page
      title="Components"
      lead="Every part of the design system, for people who change it."
      actions={<Button look="primary">Main action</Button>}
    >
      <div className="space-y-4">
        <Card title="Buttons">
          <div className="flex flex-wrap gap-2">
            <Button look="primary">Primary</Button>
            <Button>Secondary</Button>
            <Button look="danger">Danger</Button>
            <Button look="plain">Plain</Button>
            <Button isBusy>Busy</Button>
            <Button isSmall>Small</Button>
            <Menu
              trigger={<Button>Menu</Button>}
              items={[
                { label: "One", onSelect: () => toast.done("One was chosen.") },
                { label: "Delete", isDanger: true, onSelect: () => setOpen("confirm") },
              ]}
            />
            <Button onClick={() => setOpen("dialog")}>Dialog</Button>
            <Button onClick={() => toast.failed(new Error("Something failed, on purpose."))}>
              Failing toast
            </Button>
          </div>
        </Card>
        <Card title="Inputs">
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField label="Text" help="With help below." defaultValue="Vault" />
            <TextField label="With an error" error="must be a number" defaultValue="twelve" />
            <SelectField
              label="Select"
              options={[
                { value: "a", label: "First" },
                { value: "b", label: "Second" },
              ]}
            />
            <TextArea label="Long text" defaultValue="One line, and more." />
            <CheckField label="Checkbox" help="It explains itself." defaultChecked />
            <Switch label="Switch" isOn={isOn} onChange={setOn} />
          </div>
        </Card>
        <Card title="States">
          <div className="flex flex-wrap gap-2">
            {severities.map((severity) => (
              <SeverityBadge key={severity} severity={severity} />
            ))}
            <SeverityBadge severity="critical" isFilled />
            <Badge>neutral</Badge>
            <Badge tone="ok">ok</Badge>
          </div>
        </Card>
        <Card title="Values">
          <Facts
            rows={[
              [
                "Address",
                <Address key="a" value={address} name="Vault" explorerUrl="https://etherscan.io" />,
              ],
              ["Whole address", <Address key="f" value={address} isFull />],
              ["Amount", <Amount key="m" raw="4100000123456" decimals={6} symbol="USDC" />],
              ["Time", <Time key="t" at="2026-11-16T11:00:00.000Z" />],
              ["Sparkline", <Sparkline key="s" values={wave} threshold={90} />],
              ["Proximity", <ProximityBar key="p" proximity={0.82} />],
            ]}
          />
        </Card>
        <Card title="Chart">
          <TimeSeries
            title="A wave"
            summary="A wave between 20 and 100, with a limit at 90."
            times={wave.map((_, index) => start + index * 60)}
            values={wave}
            unit="events"
            marks={{ threshold: 90, moments: [start + 600], spans: [{ from: start + 540, to: start + 900 }] }}
          />
        </Card>
        <Card title="Tabs">
          <Tabs
            value={tab}
            onChange={setTab}
            tabs={[
              { value: "one", label: "One", count: 3 },
              { value: "two", label: "Two" },
            ]}
          >
            The content of {tab}.
          </Tabs>
        </Card>
        <ErrorText error={new Error("The service answered with an error.")} />
        <Empty
          title="Nothing here yet"
          call={{ method: "POST", path: "/contracts", body: { chain: "ethereum", address } }}
        >
          An empty list says what it is for.
        </Empty>
        <ApiCall call={{ method: "GET", path: "/contracts" }} />
        <Skeleton rows={2} />
      </div>
      <Dialog
        isOpen={open === "dialog"}
        onClose={() => setOpen(undefined)}
        title="A dialog"
        description="It traps the focus and closes with Escape."
      >
        <Button onClick={() => setOpen(undefined)}>Close it</Button>
      </Dialog>
      <Confirm
        isOpen={open === "confirm"}
        onClose={() => setOpen(undefined)}
        title="Delete Vault?"
        action="Delete contract"
        typed="Vault"
        onConfirm={async () => undefined}
      >
        Deletes 4 targets and 6 rules; keeps 312 events.
      </Confirm>
    </Page>
  );
}
