/** The domains whose addresses are the same with and without dots. */
const dotless = /^(gmail|googlemail)\.com$/;

/**
 * Returns what is equal for addresses that usually reach the same person: without the part after a plus sign and, where the
 * provider ignores them, without dots. For limits only: an account or a recipient is identified by its whole address.
 */
export function mailboxKey(email: string): string {
  const [local = "", domain = ""] = email.trim().toLowerCase().split("@");
  const name = local.split("+")[0] || local;
  return `${dotless.test(domain) ? name.replaceAll(".", "") : name}@${domain}`;
}
