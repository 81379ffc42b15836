/** Satellite networks, international networks and shared-cost numbers: expensive, and never the phone of a team. */
const international = ["+800", "+808", "+870", "+878", "+881", "+882", "+883", "+888", "+979"];

/** Premium-rate numbers of countries, whose owners earn with what others send and call. */
const premium = [
  "+1900",
  ...["+31900", "+31906", "+31909"],
  "+3290",
  "+3389",
  ...["+34803", "+34806", "+34807", "+34905"],
  ...["+358600", "+358700"],
  ...["+39892", "+39895", "+39899"],
  ...["+41900", "+41901", "+41906"],
  ...["+43900", "+43901", "+43930", "+43931"],
  ...["+4470", "+44871", "+44872", "+44873", "+449"],
  ...["+46900", "+46939", "+46944"],
  ...["+4870", "+49137", "+49900"],
  ...["+61190", "+64900", "+81990"],
];

const prefixes = [...international, ...premium];

/** True for a number to which messages cost much, unless an allowed prefix names just these numbers. */
export function isCostly(phone: string, allowed: readonly string[] = []): boolean {
  return prefixes.some(
    (prefix) =>
      phone.startsWith(prefix) && !allowed.some((one) => one.startsWith(prefix) && phone.startsWith(one)),
  );
}
