/** The longest time that a request to a provider of notifications may take. */
export const providerTimeoutMs = 10_000;
/** For messages that are being sent: one whose result is not recorded would be sent again. */
const drainMs = providerTimeoutMs + 2_000;
/** The other parts of a role stop and its connections close. */
const roleMs = drainMs + 4_000;
/** The supervisor kills a process that does not stop by then, for example because it is frozen. */
const killMs = roleMs + 1_000;

/**
 * How long a shutdown may take, from the inside to the outside. Every level waits longer than the one inside it, so that
 * none interrupts a message that is being sent.
 */
export const stopDeadlines = {
  drainMs,
  roleMs,
  killMs,
  /** The processes stop one after another, then the database. */
  serviceMs: 3 * killMs + 10_000,
};
