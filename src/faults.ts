/** Named fault points at which a crash test stops the process. In production they do nothing. */
export type Faults = { hit(point: FaultPoint): void | Promise<void> };

export type FaultPoint =
  | "write.before_commit"
  | "write.after_commit"
  | "mail.after_send"
  | DeliveryPoint
  | EnginePoint;

/** In the order in which a delivery passes them. */
export const deliveryPoints = [
  "delivery.after_fan_out",
  "delivery.after_claim",
  "delivery.after_send",
  "delivery.before_record",
] as const;

export type DeliveryPoint = (typeof deliveryPoints)[number];

/** In the order in which a step of the engine passes them. */
export const enginePoints = [
  "engine.after_lease",
  "engine.after_load",
  "engine.before_write",
  "engine.after_cursor",
  "engine.after_rollback",
  "engine.after_samples",
  "engine.after_events",
  "engine.before_commit",
  "engine.after_commit",
] as const;

export type EnginePoint = (typeof enginePoints)[number];

export const noFaults: Faults = { hit() {} };
