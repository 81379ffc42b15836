// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// A stablecoin in the style of early ones: without events of its owner, and with a list of holders who are blocked.
contract EarlyDollar is ERC20 {
    address public owner;
    bool public paused;
    bool public deprecated;
    address public upgradedAddress;
    uint256 public basisPointsRate;
    uint256 public maximumFee;
    mapping(address => bool) public isBlackListed;

    event Issue(uint256 amount);
    event Redeem(uint256 amount);
    event Deprecate(address newAddress);
    event Params(uint256 feeBasisPoints, uint256 maxFee);
    event DestroyedBlackFunds(address _blackListedUser, uint256 _balance);
    event AddedBlackList(address _user);
    event RemovedBlackList(address _user);
    event Pause();
    event Unpause();

    constructor(uint256 supply) ERC20("Early Dollar", "EUSD") {
        owner = msg.sender;
        _mint(msg.sender, supply);
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function transferOwnership(address next) external {
        owner = next;
    }

    function issue(uint256 amount) external {
        _mint(owner, amount);
        emit Issue(amount);
    }

    function redeem(uint256 amount) external {
        _burn(owner, amount);
        emit Redeem(amount);
    }

    function addBlackList(address user) external {
        isBlackListed[user] = true;
        emit AddedBlackList(user);
    }

    function destroyBlackFunds(address user) external {
        uint256 funds = balanceOf(user);
        _burn(user, funds);
        emit DestroyedBlackFunds(user, funds);
    }

    function setParams(uint256 rate, uint256 most) external {
        (basisPointsRate, maximumFee) = (rate, most);
        emit Params(rate, most);
    }

    function deprecate(address next) external {
        (deprecated, upgradedAddress) = (true, next);
        emit Deprecate(next);
    }

    function pause() external {
        paused = true;
        emit Pause();
    }

    function unpause() external {
        paused = false;
        emit Unpause();
    }
}

/// A token that a pool of minters issues, of which one contract at a time may do so.
contract CrosschainCash is ERC20 {
    address public minter;

    constructor(uint256 supply) ERC20("Crosschain Cash", "CASH") {
        minter = msg.sender;
        _mint(msg.sender, supply);
    }

    function setMinter(address next) external {
        minter = next;
    }

    function mint(address to, uint256 amount) external {
        require(msg.sender == minter, "not the minter");
        _mint(to, amount);
    }

    function burn(uint256 amount) external {
        _burn(msg.sender, amount);
    }
}
