/** Events that change who controls a contract. */
export const ownershipDeclarations = [
  // Ownable, in the variants of several libraries
  "OwnershipTransferred(address previousOwner, address newOwner)",
  "OwnershipTransferStarted(address previousOwner, address newOwner)",
  "OwnershipHandoverRequested(address pendingOwner)",
  "OwnerUpdated(address user, address newOwner)",
  "OwnershipTransferRequested(address from, address to)",
  "OwnerChanged(address oldOwner, address newOwner)",
  "NewOwner(address owner)",
  "AuthorityUpdated(address authority)",
  "AuthorityUpdated(address user, address newAuthority)",
  // DSAuth and the contracts of Maker
  "LogSetOwner(address owner)",
  "LogSetAuthority(address authority)",
  "Rely(address usr)",
  "Deny(address usr)",
  // Vyper
  "CommitNewAdmin(uint256 deadline, address admin)",
  "CommitOwnership(address admin)",
  "ApplyOwnership(address admin)",
  // Governance, as vaults name it
  "NewGovernance(address governance)",
  "UpdateGovernance(address governance)",
  "GovernanceTransferred(address previousGovernance, address newGovernance)",
  // AccessControl
  "RoleGranted(bytes32 role, address account, address sender)",
  "RoleRevoked(bytes32 role, address account, address sender)",
  "RoleAdminChanged(bytes32 role, bytes32 previousAdminRole, bytes32 newAdminRole)",
  "DefaultAdminTransferScheduled(address indexed newAdmin, uint48 acceptSchedule)",
  // AccessManager
  "RoleGranted(uint64 indexed roleId, address indexed account, uint32 delay, uint48 since, bool newMember)",
  "RoleRevoked(uint64 indexed roleId, address indexed account)",
  "RoleAdminChanged(uint64 indexed roleId, uint64 indexed admin)",
  "RoleGuardianChanged(uint64 indexed roleId, uint64 indexed guardian)",
  "TargetFunctionRoleUpdated(address indexed target, bytes4 selector, uint64 indexed roleId)",
  "TargetClosed(address indexed target, bool closed)",
  // Proxies and timelocks
  "AdminChanged(address previousAdmin, address newAdmin)",
  "NewAdmin(address newAdmin)",
  "NewPendingAdmin(address newPendingAdmin)",
  "NewAdmin(address oldAdmin, address newAdmin)",
  "NewPendingAdmin(address oldPendingAdmin, address newPendingAdmin)",
  // Multisig wallets from before Safe
  "OwnerAddition(address owner)",
  "OwnerRemoval(address owner)",
  "RequirementChange(uint256 required)",
  // Safe
  "AddedOwner(address owner)",
  "RemovedOwner(address owner)",
  "ChangedThreshold(uint256 threshold)",
  "EnabledModule(address module)",
  "DisabledModule(address module)",
  "ChangedGuard(address guard)",
  "ChangedModuleGuard(address moduleGuard)",
  "ChangedFallbackHandler(address handler)",
];
