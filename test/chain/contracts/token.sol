// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Pausable} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Pausable.sol";

/// A token with six decimals that its owner can mint and pause.
contract Token is ERC20, ERC20Pausable, Ownable {
    constructor(uint256 supply) ERC20("Token", "TKN") Ownable(msg.sender) {
        _mint(msg.sender, supply);
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }

    function pause() external onlyOwner {
        _pause();
    }

    function unpause() external onlyOwner {
        _unpause();
    }

    /// Sends to several in one transaction, so that it has several logs.
    function transferMany(address[] calldata to, uint256 amount) external {
        for (uint256 at = 0; at < to.length; at++) _transfer(msg.sender, to[at], amount);
    }

    function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Pausable) {
        super._update(from, to, value);
    }
}
