import { Link } from "@tanstack/react-router";
import { buttonClass } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { Circle, CircleCheck } from "@/ui/icons.ts";

type Props = {
  hasContract: boolean;
  hasChannel: boolean;
  hasTestedChannel: boolean;
  hasRule: boolean;
  hasEvent: boolean;
};

/** The way to the first alert. Each step is done when the data says so, not when it was clicked. */
export function Checklist(progress: Props) {
  const steps = [
    { isDone: progress.hasContract, text: "Watch a contract", to: "/contracts/new", action: "Add contract" },
    {
      isDone: progress.hasChannel,
      text: "Add a channel, so that someone is reached",
      to: "/channels/new",
      action: "Add channel",
    },
    {
      isDone: progress.hasTestedChannel,
      text: "See a message arrive there",
      to: "/channels",
      action: "Send test",
    },
    { isDone: progress.hasRule, text: "Create a rule", to: "/rules/new", action: "Create rule" },
    { isDone: progress.hasEvent, text: "See the first alert", to: "/alerts", action: "Alerts" },
  ] as const;
  const nextStep = steps.find(({ isDone }) => !isDone);
  return (
    <Card title="First steps">
      <ol className="space-y-2">
        {steps.map(({ isDone, text, to, action }) => (
          <li key={text} className="flex min-h-8 flex-wrap items-center gap-2">
            {isDone ? (
              <CircleCheck size={18} aria-hidden className="text-ok" />
            ) : (
              <Circle size={18} aria-hidden className="text-muted" />
            )}
            <span className={isDone ? "text-muted" : ""}>
              {text}
              <span className="sr-only">{isDone ? ": done" : ": to do"}</span>
            </span>
            {nextStep?.text === text && (
              <Link to={to} className={`${buttonClass("primary")} ml-auto`}>
                {action}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}
