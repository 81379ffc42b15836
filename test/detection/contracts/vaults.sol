// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// A vault whose assets an attacker can take.
contract ShareVault is ERC4626, Ownable {
    constructor(IERC20 token) ERC20("Vault", "vTKN") ERC4626(token) Ownable(msg.sender) {}

    function exploit(address to, uint256 amount) external {
        IERC20(asset()).transfer(to, amount);
    }
}

/// A vault from before ERC-4626, like those of Yearn.
contract YearnVault is ERC20 {
    IERC20 public token;
    address public governance;

    constructor(IERC20 token_) ERC20("yVault", "yvTKN") {
        (token, governance) = (token_, msg.sender);
    }

    function totalAssets() public view returns (uint256) {
        return token.balanceOf(address(this));
    }

    function pricePerShare() external view returns (uint256) {
        return totalSupply() == 0 ? 1e18 : (totalAssets() * 1e18) / totalSupply();
    }

    function deposit(uint256 amount) external {
        uint256 shares = totalSupply() == 0 ? amount : (amount * totalSupply()) / totalAssets();
        token.transferFrom(msg.sender, address(this), amount);
        _mint(msg.sender, shares);
    }

    function withdraw(uint256 shares) external {
        uint256 amount = (shares * totalAssets()) / totalSupply();
        _burn(msg.sender, shares);
        token.transfer(msg.sender, amount);
    }

    function exploit(address to, uint256 amount) external {
        token.transfer(to, amount);
    }
}

/// Keeps the assets of many traders, without the interface of any standard.
contract TradingVault is Ownable, Pausable {
    event IncreasePosition(address indexed account, address token, uint256 amount);
    event DecreasePosition(address indexed account, address token, uint256 amount);

    constructor() Ownable(msg.sender) {}

    function increase(IERC20 token, uint256 amount) external whenNotPaused {
        token.transferFrom(msg.sender, address(this), amount);
        emit IncreasePosition(msg.sender, address(token), amount);
    }

    function decrease(IERC20 token, uint256 amount, uint256 limit) external whenNotPaused {
        require(limit == 0 || amount <= limit, "too much");
        token.transfer(msg.sender, amount);
        emit DecreasePosition(msg.sender, address(token), amount);
    }

    function pause() external onlyOwner {
        _pause();
    }

    function unpause() external onlyOwner {
        _unpause();
    }

    function payEther(address payable to, uint256 amount) external {
        to.transfer(amount);
    }

    receive() external payable {}
}

/// The implementation of clones: each holds the tokens of one user.
contract Escrow {
    function initialize() external {}

    function pay(IERC20 token, address to, uint256 amount) external {
        token.transfer(to, amount);
    }
}
