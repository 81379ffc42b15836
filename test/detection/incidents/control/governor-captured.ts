import { encodeFunctionData, type Hex, keccak256, toHex } from "viem";
import type { Incident } from "../../scene.ts";

const zero = `0x${"0".repeat(64)}` as Hex;
const hour = 3_600n;

/** An attacker with enough votes queues operations and takes the roles of the timelock, as at Tornado Cash in May 2023. */
export const governorCaptured: Incident = {
  name: "Governor and timelock captured (Tornado Cash, May 2023)",
  covers: ["G8"],
  async setUp({ chain, users, deployer, attacker }) {
    const timelock = await chain.deploy("TimelockController", 6n * hour, [deployer], [deployer], deployer);
    const manager = await chain.deploy("AccessManager", deployer);
    const role = keccak256(toHex("PROPOSER_ROLE"));
    const shorten = encodeFunctionData({ abi: timelock.abi, functionName: "updateDelay", args: [60n] });
    const queue = (from: Hex, target: Hex, data: Hex, salt: number) =>
      timelock.call(from, "schedule", [target, 0n, data, zero, toHex(salt, { size: 32 }), 6n * hour]);
    await chain.run(queue(deployer, timelock.address, shorten, 0));
    return {
      watched: { timelock: timelock.address, manager: manager.address },
      traffic: ({ times, pick }) =>
        Array.from({ length: times(6) }, () => ({ from: pick(users), to: pick(users), value: 1n })),
      attack: [
        {
          at: 0,
          send: () => [timelock.call(deployer, "grantRole", [role, attacker])],
          signals: [{ on: "timelock", what: "role granted", by: ["ownership_change"], severity: "critical" }],
        },
        {
          at: 24,
          send: () => [queue(attacker, attacker, "0x12345678", 7)],
          signals: [
            {
              on: "timelock",
              what: "operation queued",
              by: ["governance_proposal", "event_frequency"],
              severity: "critical",
            },
          ],
        },
        {
          at: 48,
          send: () => [
            timelock.call(deployer, "execute", [timelock.address, 0n, shorten, zero, toHex(0, { size: 32 })]),
          ],
          signals: [
            { on: "timelock", what: "delay shortened", by: ["timelock_delay"], severity: "critical" },
          ],
        },
        {
          at: 72,
          send: () => [manager.call(deployer, "grantRole", [0n, attacker, 0])],
          signals: [{ on: "manager", what: "role granted", by: ["ownership_change"], severity: "critical" }],
        },
      ],
    };
  },
};
