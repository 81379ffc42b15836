// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";
import {TransparentUpgradeableProxy} from "@openzeppelin/contracts/proxy/transparent/TransparentUpgradeableProxy.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// A vault with shares.
contract DemoVault is ERC4626 {
    constructor(IERC20 asset_) ERC20("Demo Vault", "dvUSD") ERC4626(asset_) {}
}

/// Holds what is locked on this side of a bridge.
contract DemoBridge is Ownable {
    IERC20 public immutable asset;
    uint256 private messages;

    event Locked(address indexed from, uint256 amount, uint256 indexed message);
    event Released(address indexed to, uint256 amount, uint256 indexed message);

    constructor(IERC20 asset_) Ownable(msg.sender) {
        asset = asset_;
    }

    function lock(uint256 amount) external {
        asset.transferFrom(msg.sender, address(this), amount);
        emit Locked(msg.sender, amount, ++messages);
    }

    function release(address to, uint256 amount) external onlyOwner {
        asset.transfer(to, amount);
        emit Released(to, amount, ++messages);
    }
}

/// The proxy of the lending pool. Its admin contract belongs to the owner.
contract DemoProxy is TransparentUpgradeableProxy {
    constructor(address code, address owner, bytes memory data) payable TransparentUpgradeableProxy(code, owner, data) {}
}

contract DemoTimelock is TimelockController {
    constructor(uint256 delay, address[] memory proposers) TimelockController(delay, proposers, proposers, address(0)) {}
}

/// Has the interface of a Safe: its proxy has the singleton in the first slot.
contract DemoSafe {
    address private singleton;
    address[] private owners;
    uint256 private threshold;

    event ExecutionSuccess(bytes32 indexed txHash, uint256 payment);

    function VERSION() external pure returns (string memory) {
        return "1.4.1";
    }

    function nonce() external pure returns (uint256) {
        return 0;
    }

    function setup(address[] calldata newOwners, uint256 newThreshold) external {
        require(threshold == 0, "set up already");
        (owners, threshold) = (newOwners, newThreshold);
    }

    function getOwners() external view returns (address[] memory) {
        return owners;
    }

    function getThreshold() external view returns (uint256) {
        return threshold;
    }

    /// The first owner acts for all of them: the demo has no signatures.
    function execTransaction(address to, bytes calldata data) external {
        require(msg.sender == owners[0], "only an owner");
        (bool done, ) = to.call(data);
        require(done, "the call failed");
        emit ExecutionSuccess(keccak256(data), 0);
    }
}

contract DemoSafeProxy {
    address private singleton;

    constructor(address code, bytes memory data) {
        singleton = code;
        (bool done, ) = code.delegatecall(data);
        require(done, "not set up");
    }

    fallback() external payable {
        (bool done, bytes memory data) = singleton.delegatecall(msg.data);
        assembly {
            switch done
            case 0 { revert(add(data, 32), mload(data)) }
            default { return(add(data, 32), mload(data)) }
        }
    }

    receive() external payable {}
}
