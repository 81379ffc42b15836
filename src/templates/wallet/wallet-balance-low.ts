import { type Check, type Condition, defineTemplate, stateWindowSeconds } from "../template.ts";

const isFunded: Check = ({ profile }, target) =>
  (target?.last_value ?? profile?.native_balance ?? 0) > 0
    ? undefined
    : "The balance was not read yet, or is zero. Add a native_balance target, wait for its first reading and apply the template again.";

/** A wallet that cannot pay for its transactions stops to send them. */
export const walletBalanceLow = defineTemplate({
  id: "wallet_balance_low",
  category: "wallet",
  name: "Balance low",
  description:
    "Alerts if the balance of the wallet falls below a fifth of what it is when the template is applied. A wallet without balance cannot send transactions.",
  target_type: "native_balance",
  target_config: {},
  condition: below(0.1),
  variantsFor({ targets, profile }) {
    const measured = targets.find(({ target_type }) => target_type === "native_balance")?.last_value;
    const balance = measured ?? profile?.native_balance ?? 0;
    return [{ config: {}, condition: below(balance / 5), source: `The balance is ${balance} now.` }];
  },
  severity: "warning",
  for_seconds: 0,
  check: isFunded,
  isRecommended: ({ contract_type }) => contract_type === "wallet",
});

function below(threshold: number): Condition {
  return { operator: "lt", threshold, aggregation: "last", window_seconds: stateWindowSeconds };
}
