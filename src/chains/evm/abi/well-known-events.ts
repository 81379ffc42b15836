import { onFirstUse } from "../../../lib/caching/on-first-use.ts";
import { parseSignature } from "../../decoding/signature-text.ts";
import { abiOf } from "./abi.ts";
import { readItem } from "./abi-item.ts";

/** Events of common standards. One signature may have several layouts. */
const declarations = [
  // ERC-20, ERC-721, ERC-1155, ERC-4626 and wrapped ether
  "Transfer(address indexed from, address indexed to, uint256 value)",
  "Transfer(address indexed from, address indexed to, uint256 indexed tokenId)",
  "Approval(address indexed owner, address indexed spender, uint256 value)",
  "Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)",
  "ApprovalForAll(address indexed owner, address indexed operator, bool approved)",
  "TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)",
  "TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)",
  "URI(string value, uint256 indexed id)",
  "Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)",
  "Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)",
  "Deposit(address indexed dst, uint256 wad)",
  "Withdrawal(address indexed src, uint256 wad)",
  // Ownable, AccessControl, Pausable, Initializable
  "OwnershipTransferred(address indexed previousOwner, address indexed newOwner)",
  "OwnershipTransferStarted(address indexed previousOwner, address indexed newOwner)",
  "RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)",
  "RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender)",
  "RoleAdminChanged(bytes32 indexed role, bytes32 indexed previousAdminRole, bytes32 indexed newAdminRole)",
  "Paused(address account)",
  "Unpaused(address account)",
  "Initialized(uint8 version)",
  "Initialized(uint64 version)",
  // ERC-1967
  "Upgraded(address indexed implementation)",
  "AdminChanged(address previousAdmin, address newAdmin)",
  "BeaconUpgraded(address indexed beacon)",
  // Governor
  "ProposalCreated(uint256 proposalId, address proposer, address[] targets, uint256[] values, string[] signatures, bytes[] calldatas, uint256 voteStart, uint256 voteEnd, string description)",
  "ProposalQueued(uint256 proposalId, uint256 etaSeconds)",
  "ProposalExecuted(uint256 proposalId)",
  "ProposalCanceled(uint256 proposalId)",
  "VoteCast(address indexed voter, uint256 proposalId, uint8 support, uint256 weight, string reason)",
  // Timelocks of OpenZeppelin and Compound
  "CallScheduled(bytes32 indexed id, uint256 indexed index, address target, uint256 value, bytes data, bytes32 predecessor, uint256 delay)",
  "CallExecuted(bytes32 indexed id, uint256 indexed index, address target, uint256 value, bytes data)",
  "Cancelled(bytes32 indexed id)",
  "MinDelayChange(uint256 oldDuration, uint256 newDuration)",
  "NewAdmin(address indexed newAdmin)",
  "NewPendingAdmin(address indexed newPendingAdmin)",
  "NewDelay(uint256 indexed newDelay)",
  "QueueTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta)",
  "ExecuteTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta)",
  "CancelTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta)",
  // Safe, whose 1.4 began to index what 1.3 did not
  "AddedOwner(address owner)",
  "AddedOwner(address indexed owner)",
  "RemovedOwner(address owner)",
  "RemovedOwner(address indexed owner)",
  "ChangedThreshold(uint256 threshold)",
  "EnabledModule(address module)",
  "EnabledModule(address indexed module)",
  "DisabledModule(address module)",
  "DisabledModule(address indexed module)",
  "ChangedGuard(address guard)",
  "ChangedGuard(address indexed guard)",
  "ChangedFallbackHandler(address handler)",
  "ChangedFallbackHandler(address indexed handler)",
  "ExecutionSuccess(bytes32 txHash, uint256 payment)",
  "ExecutionSuccess(bytes32 indexed txHash, uint256 payment)",
  "ExecutionFailure(bytes32 txHash, uint256 payment)",
  "ExecutionFailure(bytes32 indexed txHash, uint256 payment)",
  // Chainlink
  "AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt)",
  "NewRound(uint256 indexed roundId, address indexed startedBy, uint256 startedAt)",
  // Aave
  "Supply(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint16 indexed referralCode)",
  "Deposit(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint16 indexed referral)",
  "Withdraw(address indexed reserve, address indexed user, address indexed to, uint256 amount)",
  "Borrow(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint8 interestRateMode, uint256 borrowRate, uint16 indexed referralCode)",
  "Repay(address indexed reserve, address indexed user, address indexed repayer, uint256 amount, bool useATokens)",
  "LiquidationCall(address indexed collateralAsset, address indexed debtAsset, address indexed user, uint256 debtToCover, uint256 liquidatedCollateralAmount, address liquidator, bool receiveAToken)",
  "FlashLoan(address indexed target, address initiator, address indexed asset, uint256 amount, uint8 interestRateMode, uint256 premium, uint16 indexed referralCode)",
  "ReserveDataUpdated(address indexed reserve, uint256 liquidityRate, uint256 stableBorrowRate, uint256 variableBorrowRate, uint256 liquidityIndex, uint256 variableBorrowIndex)",
  // Compound 2 and 3
  "Mint(address minter, uint256 mintAmount, uint256 mintTokens)",
  "Redeem(address redeemer, uint256 redeemAmount, uint256 redeemTokens)",
  "Borrow(address borrower, uint256 borrowAmount, uint256 accountBorrows, uint256 totalBorrows)",
  "RepayBorrow(address payer, address borrower, uint256 repayAmount, uint256 accountBorrows, uint256 totalBorrows)",
  "LiquidateBorrow(address liquidator, address borrower, uint256 repayAmount, address cTokenCollateral, uint256 seizeTokens)",
  "Supply(address indexed from, address indexed dst, uint256 amount)",
  "Withdraw(address indexed src, address indexed to, uint256 amount)",
  "SupplyCollateral(address indexed from, address indexed dst, address indexed asset, uint256 amount)",
  "WithdrawCollateral(address indexed src, address indexed to, address indexed asset, uint256 amount)",
  "AbsorbDebt(address indexed absorber, address indexed borrower, uint256 basePaidOut, uint256 usdValue)",
  "AbsorbCollateral(address indexed absorber, address indexed borrower, address indexed asset, uint256 collateralAbsorbed, uint256 usdValue)",
  "BuyCollateral(address indexed buyer, address indexed asset, uint256 baseAmount, uint256 collateralAmount)",
  // Uniswap 2, 3 and 4
  "PairCreated(address indexed token0, address indexed token1, address pair, uint256 length)",
  "Mint(address indexed sender, uint256 amount0, uint256 amount1)",
  "Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to)",
  "Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)",
  "Sync(uint112 reserve0, uint112 reserve1)",
  "PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)",
  "Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
  "Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
  "Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)",
  "Flash(address indexed sender, address indexed recipient, uint256 amount0, uint256 amount1, uint256 paid0, uint256 paid1)",
  "Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee)",
  "ModifyLiquidity(bytes32 indexed id, address indexed sender, int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt)",
];

/** The well-known events as an ABI, to decode logs of contracts without an ABI. */
export const wellKnownAbi = onFirstUse(() =>
  abiOf(declarations.flatMap((text) => readItem(parseSignature(text, "event"), { parameters: 100 }) ?? [])),
);
