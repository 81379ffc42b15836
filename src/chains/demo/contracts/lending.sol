// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

interface IFeed {
    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80);
}

/// Lends one token against another, at the price of a feed. It is used through a proxy.
contract DemoLending {
    address public asset;
    address public collateral;
    address public oracle;
    uint256 public totalBorrows;
    mapping(address => uint256) public supplied;
    mapping(address => uint256) public borrowed;

    event Supply(address indexed user, uint256 amount);
    event Withdraw(address indexed user, uint256 amount);
    event Borrow(address indexed user, uint256 amount);
    event Repay(address indexed user, uint256 amount);

    function initialize(address asset_, address collateral_, address oracle_) external {
        require(asset == address(0), "initialised already");
        (asset, collateral, oracle) = (asset_, collateral_, oracle_);
    }

    function version() external pure virtual returns (uint256) {
        return 1;
    }

    function totalAssets() external view returns (uint256) {
        return IERC20(asset).balanceOf(address(this)) + totalBorrows;
    }

    function supply(uint256 amount) external {
        supplied[msg.sender] += amount;
        IERC20(asset).transferFrom(msg.sender, address(this), amount);
        emit Supply(msg.sender, amount);
    }

    function withdraw(uint256 amount) external {
        supplied[msg.sender] -= amount;
        IERC20(asset).transfer(msg.sender, amount);
        emit Withdraw(msg.sender, amount);
    }

    function borrow(uint256 amount) external {
        (, int256 price, , , ) = IFeed(oracle).latestRoundData();
        require(price > 0, "no price");
        borrowed[msg.sender] += amount;
        totalBorrows += amount;
        IERC20(asset).transfer(msg.sender, amount);
        emit Borrow(msg.sender, amount);
    }

    function repay(uint256 amount) external {
        borrowed[msg.sender] -= amount;
        totalBorrows -= amount;
        IERC20(asset).transferFrom(msg.sender, address(this), amount);
        emit Repay(msg.sender, amount);
    }
}

/// What an attacker with the key of the proxy would install.
contract DemoLendingNext is DemoLending {
    function version() external pure override returns (uint256) {
        return 2;
    }
}
