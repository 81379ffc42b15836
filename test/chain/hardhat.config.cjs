/** Every transaction is mined at once in a block of its own; one that fails is mined too, and its sender not stopped. */
module.exports = {
  networks: { hardhat: { chainId: 31337, hardfork: "cancun", throwOnTransactionFailures: false } },
};
