// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {AccessControlEnumerable} from "@openzeppelin/contracts/access/extensions/AccessControlEnumerable.sol";

bytes32 constant minter = keccak256("MINTER_ROLE");

/// Tells who has a role only by its logs.
contract Roles is AccessControl {
    constructor(address admin, address helper) {
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        _grantRole(minter, helper);
    }
}

/// Lists who has a role.
contract ListedRoles is AccessControlEnumerable {
    constructor(address admin, address helper) {
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        _grantRole(minter, helper);
    }
}
