/** Pausable events of current and early OpenZeppelin versions, and of contracts that are halted, stopped or frozen. */
export const pauses = [
  ...[
    "Paused(address account)",
    "Paused()",
    "Pause()",
    "ContractPaused()",
    "ContractPaused(address account)",
  ],
  ...["Halted()", "Halted(address account)", "Stopped()", "Stopped(address account)"],
  ...[
    "StakingPaused()",
    "DepositsPaused()",
    "WithdrawalsPaused()",
    "Frozen()",
    "EmergencyStop()",
    "EmergencyStopped()",
    "Shutdown()",
  ],
];
export const unpauses = [
  ...["Unpaused(address account)", "Unpaused()", "Unpause()", "ContractUnpaused()"],
  ...["ContractUnpaused(address account)", "Resumed()", "Resumed(address account)", "Unhalted()"],
  ...[
    "StakingResumed()",
    "DepositsResumed()",
    "WithdrawalsResumed()",
    "Started()",
    "Started(address account)",
    "Unfrozen()",
  ],
];

/** Events that say in a flag whether something is paused, of lending markets and vaults. */
export const flaggedPauses = [
  "PauseAction(bool supplyPaused, bool transferPaused, bool withdrawPaused, bool absorbPaused, bool buyPaused)",
  "ActionPaused(string action, bool pauseState)",
  "ActionPaused(address cToken, string action, bool pauseState)",
  "PausedStateChanged(bool paused)",
  "PauseStatusChanged(bool paused)",
  "PauseUpdated(bool paused)",
  "PausedUpdated(bool paused)",
  "PausedSet(bool paused)",
  "PauseSet(bool paused)",
  "SetPaused(bool paused)",
  "HaltedSet(bool halted)",
  "ReservePaused(address indexed asset, bool paused)",
  "EmergencyShutdown(bool active)",
] as const;

/** All events of a pause and of its end. */
export const pauseDeclarations = [...pauses, ...unpauses, ...flaggedPauses];

/** Functions that return whether a contract is paused, the usual one first. */
export const pauseFunctions = [
  ...(["paused()", "isPaused()", "contractPaused()", "getPaused()", "stopped()", "isStopped()"] as const),
  ...(["halted()", "isHalted()", "frozen()", "isFrozen()", "is_killed()", "isKilled()", "killed()"] as const),
  ...([
    "is_shutdown()",
    "isShutdown()",
    "emergencyShutdown()",
    "emergencyStop()",
    "isSupplyPaused()",
    "stakingPaused()",
    "isStakingPaused()",
    "tradingPaused()",
    "depositsPaused()",
  ] as const),
] as const;
