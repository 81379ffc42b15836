import type { Incident } from "../../scene.ts";

const ether = 10n ** 18n;
const interval = 960;

/** A keeper that liquidates and updates stops, as in March 2020 and in later outages of providers. */
export const keeperStopped: Incident = {
  name: "Keeper runs out of funds and stops (outages of keepers)",
  covers: ["G5"],
  async setUp({ chain, users }) {
    const keeper = await chain.account(20n * ether);
    const [target] = users;
    let [last, isStopped] = [0, false];
    return {
      watched: { keeper },
      traffic({ time, random }) {
        if (isStopped || time < last + interval - 10 + (random() < 0.1 ? 200 : 0)) return [];
        last = time;
        return [{ from: keeper, to: target ?? keeper, value: 0n }];
      },
      attack: [
        {
          at: 0,
          send() {
            isStopped = true;
            last = 0;
            return [{ from: keeper, to: target ?? keeper, value: 17n * ether }];
          },
          signals: [
            { on: "keeper", what: "balance low", by: ["native_balance"], rule: /low/i, severity: "warning" },
          ],
        },
        {
          at: 3 * interval + 24,
          signals: [
            { on: "keeper", what: "stopped", by: ["activity_rhythm", "inactivity"], severity: "critical" },
          ],
        },
      ],
    };
  },
};
