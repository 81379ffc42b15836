/**
 * The environment for a program that we start: no more than it needs. Our own settings hold secrets that are not
 * its business, and another's variables, such as PG…, would change what it does.
 */
export function childEnvironment(): Record<string, string | undefined> {
  const { PATH, HOME, LD_LIBRARY_PATH } = process.env;
  return { PATH, HOME, LD_LIBRARY_PATH, LC_ALL: "C" };
}
