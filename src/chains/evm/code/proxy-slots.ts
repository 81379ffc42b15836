/** The storage slots in which proxies keep their addresses. Of several slots for the same part, the first that is set counts. */
export const proxySlots = [
  // ERC-1967
  { part: "implementation", slot: "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc" },
  { part: "admin", slot: "0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103" },
  { part: "beacon", slot: "0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50" },
  // ERC-1822
  { part: "implementation", slot: "0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7" },
  // OpenZeppelin before the standard, as USDC has it
  { part: "implementation", slot: "0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3" },
  { part: "admin", slot: "0x10d6a54a4754c8869d6886b5f5d7fbfa5b4522237ea5c60d11bc4e7a1ff9390b" },
] as const;

/** The function that a beacon, and some proxies, offer to name the implementation. */
export const implementationFunction = "implementation() view returns (address)";
/** The same function of beacons that were made before the standard. */
export const childImplementationFunction = "childImplementation() view returns (address)";
