import { pad } from "viem";
import type { Incident } from "../../scene.ts";

const ether = 10n ** 18n;
const setting = ["configuration_change", "rare_event", "view_function", "ownership_change"];

/** Stake is redirected to an attacker, as with the staking accounts of SwissBorg in September 2025. */
export const validatorPoolRedirected: Incident = {
  name: "Withdrawals of a staking pool redirected (SwissBorg and Kiln, September 2025)",
  covers: ["G1", "G11"],
  async setUp({ chain, users, deployer, attacker }) {
    const pool = await chain.deploy("ValidatorPool", pad("0x0100feed", { size: 32 }));
    const validators = await chain.account(ether);
    await chain.run(pool.call(deployer, "submit", [], 900n * ether));
    const critical = { on: "pool", severity: "critical" } as const;
    return {
      watched: { pool: pool.address },
      traffic: ({ times, pick, amount }) => [
        ...Array.from({ length: times(60) }, () => pool.call(pick(users), "submit", [], amount(ether))),
        ...Array.from({ length: times(2) }, () =>
          pool.call(deployer, "depositBufferedEther", [validators, 32n * ether]),
        ),
      ],
      attack: [
        {
          at: 0,
          send: () => [pool.call(deployer, "setWithdrawalCredentials", [pad(attacker, { size: 32 })])],
          signals: [{ ...critical, what: "withdrawal credentials changed", by: setting }],
        },
        {
          at: 48,
          send: () => [pool.call(deployer, "setRewardsVault", [attacker])],
          signals: [{ ...critical, what: "recipient of rewards changed", by: setting }],
        },
        {
          at: 96,
          send: () => [pool.call(deployer, "depositBufferedEther", [attacker, 800n * ether])],
          signals: [{ ...critical, what: "ether taken", by: ["native_balance"] }],
        },
        {
          at: 144,
          send: () => [pool.call(deployer, "setStakingPaused", [true])],
          signals: [{ ...critical, what: "staking paused", by: ["pause_state", ...setting] }],
        },
      ],
    };
  },
};
