import { encodeFunctionData } from "viem";
import type { Incident } from "../../scene.ts";

const unit = 10n ** 6n;

/** Attackers get a module and an owner into a Safe and empty it, as UXLINK in September 2025. */
export const safeModuleEnabled: Incident = {
  name: "Safe taken over by owner and module (UXLINK, September 2025)",
  covers: ["G2"],
  async setUp({ chain, users, deployer, attacker, coin }) {
    const usdt = await coin("USDT", 6, 1_000_000_000);
    const code = await chain.deploy("Safe");
    const setup = encodeFunctionData({ abi: code.abi, functionName: "setup", args: [users.slice(3, 6), 2n] });
    const proxy = await chain.deploy("SafeProxy", code.address, setup);
    const safe = chain.at(proxy.address, "Safe");
    await chain.run(usdt.call(deployer, "transfer", [safe.address, 11_000_000n * unit]));
    const pay = (amount: bigint, to = attacker) =>
      encodeFunctionData({ abi: usdt.abi, functionName: "transfer", args: [to, amount * unit] });
    return {
      watched: { treasury: safe.address },
      // Salaries are paid from time to time.
      traffic: ({ times, pick }) =>
        Array.from({ length: times(3) }, () =>
          safe.call(pick(users), "execTransaction", [usdt.address, 0n, pay(20_000n, pick(users)), 0]),
        ),
      attack: [
        {
          at: 0,
          send: () => [safe.call(attacker, "enableModule", [attacker])],
          signals: [
            {
              on: "treasury",
              what: "module enabled",
              by: ["ownership_change", "proxy_implementation"],
              severity: "critical",
            },
          ],
        },
        {
          at: 24,
          send: () => [safe.call(attacker, "addOwnerWithThreshold", [attacker, 1n])],
          signals: [
            {
              on: "treasury",
              what: "owner added",
              by: ["ownership_change"],
              rule: /owner/i,
              severity: "critical",
            },
          ],
        },
        {
          at: 48,
          send: () => [safe.call(attacker, "setGuard", [attacker])],
          signals: [
            { on: "treasury", what: "guard changed", by: ["ownership_change"], severity: "critical" },
          ],
        },
        {
          at: 72,
          send: () => [safe.call(attacker, "execTransactionFromModule", [usdt.address, 0n, pay(6_000_000n)])],
          signals: [{ on: "treasury", what: "tokens drained", by: ["token_balance"], severity: "critical" }],
        },
        {
          at: 120,
          send: () => [safe.call(attacker, "execTransaction", [usdt.address, 0n, pay(10n ** 12n), 0])],
          signals: [
            {
              on: "treasury",
              what: "transaction failed",
              by: ["event_frequency"],
              rule: /failed/i,
              severity: "warning",
            },
          ],
        },
      ],
    };
  },
};
