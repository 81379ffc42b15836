/** Named places where a crash test may stop the process. In service nothing listens there. */
export type Faults = { hit(point: FaultPoint): void | Promise<void> };

export type FaultPoint =
  | "write.before_commit"
  | "write.after_commit"
  | "mail.after_send"
  | "engine.before_commit"
  | "engine.after_commit";

export const noFaults: Faults = { hit() {} };
