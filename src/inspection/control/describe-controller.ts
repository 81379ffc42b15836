import type { Controller } from "./controller.ts";

/** Returns the controller as the subject of a sentence. */
export function describeController(controller: Controller): string {
  const { address } = controller;
  switch (controller.kind) {
    case "eoa":
      return `The account ${address}`;
    case "safe":
      return `The multisig ${address} (${controller.threshold} of ${controller.owners.length})`;
    case "timelock":
      return `The timelock ${address} with a delay of ${controller.delay_seconds} seconds`;
    case "contract":
      return `The contract ${address}${controller.owner ? `, owned by ${controller.owner.address},` : ""}`;
  }
}

/** Returns true if one key is sufficient, directly or as the owner of a contract. */
export function isSingleKey(controller: Controller): boolean {
  if (controller.kind === "safe") return controller.threshold === 1;
  return controller.kind === "eoa" || (controller.kind === "contract" && controller.owner?.kind === "eoa");
}
