/** An address that is watched beside the others, and that some providers cannot list. */
export const unindexedAddress = "SysvarRecentB1ockHashes11111111111111111111";
