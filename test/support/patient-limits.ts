/** Limits of a chain reader in tests that are not about limits: a busy machine may take any time to answer. */
export const patientLimits = { timeoutMs: 60_000, deadlineMs: 3_000_000 };
