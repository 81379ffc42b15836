/** What a setting is about: who controls a contract, where prices come from, and its limits. */
const nouns = wordSet(`
  owner admin administrator governance governor gov guardian council multisig dao committee custodian
  minter burner operator validator signer relayer attester verifier authority oracle feed aggregator source
  strategist strategy controller comptroller manager keeper updater reporter publisher sequencer proposer executor
  canceller timelock treasury threshold quorum requirement fee tax factor ltv delay peer remote bridge gateway messenger
  endpoint implementation logic singleton module guard handler hook resolver router registry model parameter param
  config configuration whitelist allowlist blacklist blocklist cap ceiling facet role permission dvn witness authorizer
  authoriser migrator migration route receiver recipient beneficiary collector pricer credential emission amp
  amplification dev multiplier support pct percentage forwarder recovery distributor distribution configurator limit limiter lending provider`);

/** Past participles that say both what a setting is about and that it changed. */
const listings = wordSet(
  "whitelisted allowlisted blacklisted blocklisted blocked unblocked authorized authorised deprecate deprecated initialized destroyed param",
);

const changes = wordSet(`
  set updated update changed change added add removed remove replaced replace moved granted revoked enabled disabled
  transferred rotated migrated configured appointed new assigned registered deregistered switched pointed increased
  decreased raised lowered reset cut modified committed applied accepted renounced whitelisted allowlisted authorized
  authorised deauthorized deauthorised`);

/** What users and markets change all the time. */
const volatile = wordSet(`
  price rate reward stake staker position balance liquidity collateral debt index claim claimed accrued collected
  distributed total last current cumulative pending next deposit withdrawal user account epoch round request order swap
  trade vote nonce delegate token market loan auction bid offer paid spent earned root hash digest checkpoint`);

/** Words that make a setting of what users and markets change otherwise. */
const anchors = wordSet(
  "oracle feed source provider model factor config configuration manager admin list vault recipient receiver collector credential authority distribution distributor limit limiter weight",
);

/** Returns true if an event of this name changes a setting. */
export function namesSettingEvent(name: string): boolean {
  const words = wordsOf(name);
  if (isListing(words)) return true;
  if (isVolatile(words)) return false;
  if (words.some((word) => listings.has(word))) return true;
  return words.some((word) => nouns.has(word)) && words.some((word) => changes.has(word));
}

/** What a market accepts from then on. Users list items and orders, too, which are no settings. */
function isListing(words: readonly string[]): boolean {
  return /^(market|asset|collateral|reserve|pool) (de)?listed$/.test(words.join(" "));
}

/** Returns true if a function of this name returns an address that a setting holds. */
export function namesSettingAddress(name: string): boolean {
  const words = wordsOf(name);
  return !isVolatile(words) && words.some((word) => nouns.has(word));
}

/**
 * Returns true for any other function whose address or word may change: constants are in capitals, and what users change is
 * not.
 */
export function namesState(name: string): boolean {
  return /[a-z]/.test(name) && !isVolatile(wordsOf(name));
}

const uses = wordSet(`
  deposit deposited withdraw withdrawn withdrawal redeem redeemed redemption issue issued mint minted burn burned burnt
  claim claimed harvest harvested stake staked unstake unstaked swap swapped collect collected flash buy bought sell sold
  transfer sent received borrow borrowed repay repaid repayment liquidate liquidated compound compounded reinvest sync
  skim donate donated fill filled cancel cancelled trade traded join joined exit exited enter entered leave left lock
  locked unlock unlocked bridged supply supplied payment paid purchase purchased order reward distributed rebalance
  rebalanced rolled settle settled accrue accrued vested released referral referred`);

/** What a contract reports at the end of a span of time, or about what its users own: it comes seldom and is no surprise. */
const routines = wordSet(
  `epoch round cycle season checkpoint root snapshot rate price index metadata uri rebase heartbeat position order loan bid
  offer trade request referral delegate listing reveal revealed`,
);

/** What is done only if something is wrong. */
const exceptions = wordSet(
  "migrated migrate recovered recover rescued rescue swept sweep seized seize forced",
);

/** Returns true if an event of this name is what users do, however seldom they do it. */
export function namesUse(name: string): boolean {
  const words = wordsOf(name);
  const about = words.filter((word) => nouns.has(word) || exceptions.has(word));
  if (about.length === 0 && words.some((word) => routines.has(word))) return true;
  // Fees are collected, which changes no setting.
  if (about.some((word) => word !== "fee")) return false;
  return words.some((word) => uses.has(word)) && !words.some((word) => changes.has(word));
}

const limits = wordSet(`
  threshold quorum required requirement delay fee tax ltv factor cap ceiling pct percentage bps basis multiplier emission
  maximum minimum duration period`);
/** When something is due, which moves with every use. */
const moments = wordSet("finish finished end ended start started timestamp until deadline expiry at");
/** What a farm pays out, which its owner decides. */
const emission = /Per(Block|Second)$/;

/** Returns true if a function of this name returns a number that a setting holds. */
export function namesSettingNumber(name: string): boolean {
  const words = wordsOf(name);
  if (words.some((word) => moments.has(word))) return false;
  return emission.test(name) || (!isVolatile(words) && words.some((word) => limits.has(word)));
}

const switches = wordSet("paused stopped halted frozen killed shutdown emergency enabled disabled live");

/** Returns true if a function of this name returns a switch. */
export function namesSwitch(name: string): boolean {
  const words = wordsOf(name);
  return !isVolatile(words) && words.some((word) => switches.has(word));
}

/** Returns true if an event of this name is a liquidation, and not a setting of liquidations. */
export function namesLiquidation(name: string): boolean {
  const words = wordsOf(name);
  const isOne = words.some((word) => /^liquidat(e|ed|ion|ions)$/.test(word));
  return (
    isOne && !words.some((word) => changes.has(word) || limits.has(word) || /^(bonus|config)/.test(word))
  );
}

function isVolatile(words: readonly string[]): boolean {
  return words.some(
    (word, index) =>
      volatile.has(word) && !anchors.has(words[index + 1] ?? "") && words[index - 1] !== "emission",
  );
}

/** Splits a name at capitals and underscores, in lower case and without the ending of a plural. */
function wordsOf(name: string): string[] {
  return name
    .replace(
      /(?:[Bb]lack|[Ww]hite|[Bb]lock|[Aa]llow)_?List/g,
      (letters) => ` ${letters.replace("_", "").toLowerCase()}`,
    )
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .split(/[^A-Za-z]+/)
    .filter((word) => word !== "")
    .map((word) => singular(word.toLowerCase()));
}

function singular(word: string): string {
  if (word === "addresses" || word.endsWith("ss")) return word;
  if (/(x|ch)es$/.test(word)) return word.slice(0, -2);
  if (/ies$/.test(word)) return `${word.slice(0, -3)}y`;
  return word.length > 3 && word.endsWith("s") ? word.slice(0, -1) : word;
}

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ""));
}
