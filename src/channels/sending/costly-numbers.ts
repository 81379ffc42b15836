import { parsePhoneNumberFromString } from "libphonenumber-js/max";

/** Numbers whose owners or operators earn with what others send and call, and pagers. */
const costlyTypes = new Set(["PREMIUM_RATE", "SHARED_COST", "PERSONAL_NUMBER", "UAN", "PAGER", "VOICEMAIL"]);

/**
 * True for a number to which messages cost much, unless an allowed prefix names just these numbers. What a number is comes from
 * the numbering plans that libphonenumber collects.
 */
export function isCostly(phone: string, allowed: readonly string[] = []): boolean {
  if (!isInCostlyRange(phone)) return false;
  return !allowed.some((prefix) => phone.startsWith(prefix) && namesOnlyCostly(prefix, phone));
}

/** A number that no plan has may be a costly one with another length: what it costs is decided by its first digits. */
function isInCostlyRange(phone: string): boolean {
  if (parsePhoneNumberFromString(phone)?.isValid()) return isCostlyNumber(phone);
  const lengths = [-3, -2, -1, 0, 1, 2, 3];
  return lengths.some((more) => isCostlyNumber(more < 0 ? phone.slice(0, more) : phone + "0".repeat(more)));
}

function isCostlyNumber(phone: string): boolean {
  const number = parsePhoneNumberFromString(phone);
  if (!number) return false;
  // Satellites and international networks belong to no country.
  if (number.isNonGeographic()) return true;
  const type = number.getType();
  // In North America, personal numbers cost as much as others.
  if (type === "PERSONAL_NUMBER" && number.countryCallingCode === "1") return false;
  return type !== undefined && costlyTypes.has(type);
}

/** A prefix of a country has ordinary numbers too: looks at numbers of all ranges that are two digits longer than the prefix. */
function namesOnlyCostly(prefix: string, phone: string): boolean {
  const rest = phone.slice(prefix.length + 2);
  return Array.from({ length: 100 }, (_, range) => `${prefix}${String(range).padStart(2, "0")}${rest}`)
    .filter((other) => parsePhoneNumberFromString(other)?.isValid())
    .every(isCostlyNumber);
}
