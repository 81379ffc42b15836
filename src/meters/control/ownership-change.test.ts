import { describe, expect, it } from "vitest";
import { activity, alice, bob, emit, hash, subject, token } from "../../../test/meters/scripted-activity.ts";
import { ownershipChange } from "./ownership-change.ts";

function measure(config: unknown, ...events: ReturnType<typeof emit>[]) {
  const parsed = ownershipChange.config.parse(config);
  return ownershipChange.measure?.(parsed, activity({ events }), subject, undefined) ?? [];
}

const transferred = emit("OwnershipTransferred(address indexed previousOwner, address indexed newOwner)", [
  alice,
  bob,
]);

describe("the ownership_change meter", () => {
  it.each([
    ["OwnershipTransferStarted(address indexed previousOwner, address indexed newOwner)", [alice, bob]],
    [
      "RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)",
      [hash(0), alice, bob],
    ],
    [
      "RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender)",
      [hash(0), alice, bob],
    ],
    [
      "RoleAdminChanged(bytes32 indexed role, bytes32 indexed a, bytes32 indexed b)",
      [hash(0), hash(1), hash(2)],
    ],
    ["DefaultAdminTransferScheduled(address indexed newAdmin, uint48 acceptSchedule)", [alice, 5]],
    ["AdminChanged(address previousAdmin, address newAdmin)", [alice, bob]],
    ["AddedOwner(address owner)", [alice]],
    ["AddedOwner(address indexed owner)", [alice]],
    ["RemovedOwner(address owner)", [alice]],
    ["ChangedThreshold(uint256 threshold)", [1n]],
    ["EnabledModule(address indexed module)", [alice]],
    ["DisabledModule(address module)", [alice]],
    ["ChangedGuard(address guard)", [alice]],
  ])("counts and decodes %s", (declaration, args) => {
    const [reading] = measure({}, emit(declaration, args));
    expect(reading).toMatchObject({ value: 1, evidence: { decoded: { args: { $0: args[0] } } } });
  });

  it("shows the previous and the new owner", () => {
    const [reading] = measure({}, transferred);
    expect(reading?.evidence).toMatchObject({ decoded: { args: { previousOwner: alice, newOwner: bob } } });
  });

  it("counts only the selected events, and only those of the contract", () => {
    const added = emit("AddedOwner(address owner)", [alice]);
    expect(measure({ events: ["AddedOwner"] }, transferred, added)).toHaveLength(1);
    expect(measure({}, { ...transferred, address: token })).toEqual([]);
    expect(measure({}, emit("Paused(address account)", [alice]))).toEqual([]);
  });

  it("counts events whose arguments cannot be decoded", () => {
    expect(measure({}, { ...transferred, topics: transferred.topics.slice(0, 1) })).toHaveLength(1);
  });

  it("rejects unknown event names", () => {
    expect(ownershipChange.config.safeParse({ events: ["Transfer"] }).success).toBe(false);
  });
});
