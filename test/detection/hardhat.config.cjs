/** Blocks are mined on request, with many transactions and with the time that the request names. */
module.exports = {
  networks: {
    hardhat: {
      chainId: 31337,
      hardfork: "cancun",
      throwOnTransactionFailures: false,
      blockGasLimit: 1_000_000_000,
      initialBaseFeePerGas: 0,
      mining: { auto: false, mempool: { order: "fifo" } },
      accounts: { count: 40, accountsBalance: "1000000000000000000000000" },
      initialDate: process.env.DETECTION_START,
    },
  },
};
