// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// Keeps the tokens of many pools, like the vault of Balancer V2.
contract PoolVault {
    address private authorizer;
    bool private paused;

    event Swap(bytes32 indexed poolId, IERC20 indexed tokenIn, IERC20 indexed tokenOut, uint256 amountIn, uint256 amountOut);
    event PoolBalanceChanged(bytes32 indexed poolId, address indexed liquidityProvider, int256 delta);
    event AuthorizerChanged(address indexed newAuthorizer);
    event PausedStateChanged(bool paused);

    constructor() {
        authorizer = msg.sender;
    }

    function getAuthorizer() external view returns (address) {
        return authorizer;
    }

    function getPausedState() external view returns (bool, uint256, uint256) {
        return (paused, 0, 0);
    }

    function setAuthorizer(address next) external {
        authorizer = next;
        emit AuthorizerChanged(next);
    }

    function setPaused(bool state) external {
        paused = state;
        emit PausedStateChanged(state);
    }

    function join(RatedPool pool, IERC20 token, uint256 amount) external {
        token.transferFrom(msg.sender, address(this), amount);
        pool.credit(msg.sender, amount);
        emit PoolBalanceChanged(pool.getPoolId(), msg.sender, int256(amount));
    }

    function swap(RatedPool pool, IERC20 from, IERC20 to, uint256 amount, uint256 received) external {
        from.transferFrom(msg.sender, address(this), amount);
        to.transfer(msg.sender, received);
        emit Swap(pool.getPoolId(), from, to, amount, received);
    }

    /// Rounding lets an attacker take more than they give.
    function exploit(RatedPool pool, IERC20 token, address to, uint256 amount) external {
        token.transfer(to, amount);
        pool.lose(amount);
        emit Swap(pool.getPoolId(), token, token, 0, amount);
    }
}

/// A pool whose share has a rate, and whose assets its vault keeps.
contract RatedPool is ERC20 {
    address private immutable vault;
    uint256 private assets;
    uint256 private fee = 1e14;

    event SwapFeePercentageChanged(uint256 swapFeePercentage);
    event RecoveryModeStateChanged(bool enabled);
    event PausedStateChanged(bool paused);
    event AmpUpdateStarted(uint256 startValue, uint256 endValue, uint256 startTime, uint256 endTime);

    constructor(address vault_) ERC20("Rated Pool", "RPT") {
        vault = vault_;
    }

    function getVault() external view returns (address) {
        return vault;
    }

    function getPoolId() public view returns (bytes32) {
        return bytes32(uint256(uint160(address(this))) << 96);
    }

    function getRate() public view returns (uint256) {
        return totalSupply() == 0 ? 1e18 : (assets * 1e18) / totalSupply();
    }

    function getSwapFeePercentage() external view returns (uint256) {
        return fee;
    }

    function credit(address to, uint256 amount) external {
        _mint(to, (amount * 1e18) / getRate());
        assets += amount;
    }

    function lose(uint256 amount) external {
        assets -= amount;
    }

    function setSwapFeePercentage(uint256 next) external {
        fee = next;
        emit SwapFeePercentageChanged(next);
    }

    function startAmplificationParameterUpdate(uint256 next) external {
        emit AmpUpdateStarted(200, next, block.timestamp, block.timestamp + 1 days);
    }

    function enableRecoveryMode() external {
        emit RecoveryModeStateChanged(true);
    }

    function pause() external {
        emit PausedStateChanged(true);
    }
}

/// The price of a share, as an adapter of a lending market: it has no rounds.
contract ShareAdapter {
    int256 private answer;
    string public description = "LP / USD";

    constructor(int256 first) {
        answer = first;
    }

    function decimals() external pure returns (uint8) {
        return 8;
    }

    function latestAnswer() external view returns (int256) {
        return answer;
    }

    function sync(int256 next) external {
        answer = next;
    }
}
