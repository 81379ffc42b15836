/**
 * The minimal environment of child programs: our settings contain secrets, and variables such as PG… would change the
 * behaviour of PostgreSQL.
 */
export function childEnvironment(): Record<string, string | undefined> {
  const { PATH, HOME, LD_LIBRARY_PATH } = process.env;
  return { PATH, HOME, LD_LIBRARY_PATH, LC_ALL: "C" };
}
