/** One line of the doctor: what it looked at, what it found, and what to do if that fails. */
export type Check = { name: string; probe: () => Promise<string>; remedy?: string };

/** Runs a check and prints its line. Returns whether it succeeded. */
export async function runCheck({ name, probe, remedy }: Check): Promise<boolean> {
  try {
    console.log(`ok    ${name}: ${await probe()}`);
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message || error.name : String(error);
    console.log(`FAIL  ${name}: ${[reason.replace(/\.?$/, "."), remedy].filter(Boolean).join(" ")}`);
    return false;
  }
}
