import { token2022Program, tokenProgram } from "../accounts/address.ts";

/** Names of errors from a number on. */
type Names = readonly (readonly [from: number, names: string])[];

const anchor: Names = [
  [
    100,
    "InstructionMissing InstructionFallbackNotFound InstructionDidNotDeserialize InstructionDidNotSerialize",
  ],
  [1000, "IdlInstructionStub IdlInstructionInvalidProgram IdlAccountNotEmpty"],
  [1500, "EventInstructionStub"],
  [
    2000,
    "ConstraintMut ConstraintHasOne ConstraintSigner ConstraintRaw ConstraintOwner ConstraintRentExempt ConstraintSeeds ConstraintExecutable ConstraintState ConstraintAssociated ConstraintAssociatedInit ConstraintClose ConstraintAddress ConstraintZero ConstraintTokenMint ConstraintTokenOwner ConstraintMintMintAuthority ConstraintMintFreezeAuthority ConstraintMintDecimals ConstraintSpace ConstraintAccountIsNone ConstraintTokenTokenProgram ConstraintMintTokenProgram ConstraintAssociatedTokenTokenProgram",
  ],
  [
    2500,
    "RequireViolated RequireEqViolated RequireKeysEqViolated RequireNeqViolated RequireKeysNeqViolated RequireGtViolated RequireGteViolated",
  ],
  [
    3000,
    "AccountDiscriminatorAlreadySet AccountDiscriminatorNotFound AccountDiscriminatorMismatch AccountDidNotDeserialize AccountDidNotSerialize AccountNotEnoughKeys AccountNotMutable AccountOwnedByWrongProgram InvalidProgramId InvalidProgramExecutable AccountNotSigner AccountNotSystemOwned AccountNotInitialized AccountNotProgramData AccountNotAssociatedTokenAccount AccountSysvarMismatch AccountReallocExceedsLimit AccountDuplicateReallocs",
  ],
  [4100, "DeclaredProgramIdMismatch TryingToInitPayerAsProgramAccount InvalidNumericConversion"],
  [5000, "Deprecated"],
];

const token: Names = [
  [
    0,
    "NotRentExempt InsufficientFunds InvalidMint MintMismatch OwnerMismatch FixedSupply AlreadyInUse InvalidNumberOfProvidedSigners InvalidNumberOfRequiredSigners UninitializedState NativeNotSupported NonNativeHasBalance InvalidInstruction InvalidState Overflow AuthorityTypeNotSupported MintCannotFreeze AccountFrozen MintDecimalsMismatch NonNativeNotSupported",
  ],
];

/** Token-2022 continues the errors of the token program. */
const token2022: Names = [
  ...token,
  [
    20,
    "ExtensionTypeMismatch ExtensionBaseMismatch ExtensionAlreadyInitialized ConfidentialTransferAccountHasBalance ConfidentialTransferAccountNotApproved ConfidentialTransferDepositsAndTransfersDisabled ConfidentialTransferElGamalPubkeyMismatch ConfidentialTransferBalanceMismatch MintHasSupply NoAuthorityExists TransferFeeExceedsMaximum MintRequiredForTransfer FeeMismatch FeeParametersMismatch ImmutableOwner AccountHasWithheldTransferFees NoMemo NonTransferable NonTransferableNeedsImmutableOwnership MaximumPendingBalanceCreditCounterExceeded MaximumDepositAmountExceeded CpiGuardSettingsLocked CpiGuardTransferBlocked CpiGuardBurnBlocked CpiGuardCloseAccountBlocked CpiGuardApproveBlocked CpiGuardSetAuthorityBlocked CpiGuardOwnerChangeBlocked ExtensionNotFound NonConfidentialTransfersDisabled ConfidentialTransferFeeAccountHasWithheldFee InvalidExtensionCombination InvalidLengthForAlloc AccountDecryption ProofGeneration InvalidProofInstructionOffset HarvestToMintDisabled SplitProofContextStateAccountsNotSupported NotEnoughProofContextStateAccounts MalformedCiphertext CiphertextArithmeticFailed PedersenCommitmentMismatch RangeProofLengthMismatch IllegalBitLength FeeCalculation IllegalMintBurnConversion InvalidScale MintPaused PendingBalanceNonZero",
  ],
];

const system: Names = [
  [
    0,
    "AccountAlreadyInUse ResultWithNegativeLamports InvalidProgramId InvalidAccountDataLength MaxSeedLengthExceeded AddressWithSeedMismatch NonceNoRecentBlockhashes NonceBlockhashNotExpired NonceUnexpectedBlockhashValue",
  ],
];

const byProgram = new Map([
  [tokenProgram, token],
  [token2022Program, token2022],
  ["11111111111111111111111111111111", system],
]);

/** The name of an error of the token programs, of the system program, or of the framework of a program that has an IDL. */
export function knownErrorName(program: string, code: number, hasIdl: boolean): string | undefined {
  const names = byProgram.get(program) ?? (hasIdl ? anchor : []);
  for (const [from, text] of names) {
    const name = text.split(" ")[code - from];
    if (name) return name;
  }
  return undefined;
}
