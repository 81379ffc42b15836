// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// The token of deposits in a market like Aave's; it holds the asset.
contract AToken is ERC20 {
    address public immutable UNDERLYING_ASSET_ADDRESS;
    address public immutable POOL;

    constructor(address asset, address pool) ERC20("aToken", "aTKN") {
        (UNDERLYING_ASSET_ADDRESS, POOL) = (asset, pool);
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function burn(address from, uint256 amount) external {
        _burn(from, amount);
    }

    function transferUnderlyingTo(address to, uint256 amount) external {
        IERC20(UNDERLYING_ASSET_ADDRESS).transfer(to, amount);
    }
}

/// A market like Aave V3, with one contract for the addresses, the data and the pool.
contract AavePool {
    address[] private assets;
    mapping(address => AToken) public tokens;
    mapping(address => uint256) public debts;

    event Supply(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint16 indexed referralCode);
    event Withdraw(address indexed reserve, address indexed user, address indexed to, uint256 amount);
    event Borrow(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint8 interestRateMode, uint256 borrowRate, uint16 indexed referralCode);
    event Repay(address indexed reserve, address indexed user, address indexed repayer, uint256 amount, bool useATokens);
    event LiquidationCall(address indexed collateralAsset, address indexed debtAsset, address indexed user, uint256 debtToCover, uint256 liquidatedCollateralAmount, address liquidator, bool receiveAToken);

    function ADDRESSES_PROVIDER() external view returns (address) {
        return address(this);
    }

    function getPoolDataProvider() external view returns (address) {
        return address(this);
    }

    function list(address asset) external {
        assets.push(asset);
        tokens[asset] = new AToken(asset, address(this));
    }

    function getReservesList() external view returns (address[] memory) {
        return assets;
    }

    function getReserveTokensAddresses(address asset) external view returns (address, address, address) {
        return (address(tokens[asset]), address(0), address(0));
    }

    /// The first fields are those that monitors read; the others are rates.
    function getReserveData(address asset) external view returns (uint256[12] memory data) {
        data[2] = IERC20(asset).balanceOf(address(tokens[asset])) + debts[asset];
        data[4] = debts[asset];
        data[11] = block.timestamp;
    }

    function supply(address asset, uint256 amount) external {
        IERC20(asset).transferFrom(msg.sender, address(tokens[asset]), amount);
        tokens[asset].mint(msg.sender, amount);
        emit Supply(asset, msg.sender, msg.sender, amount, 0);
    }

    function withdraw(address asset, uint256 amount) external {
        tokens[asset].burn(msg.sender, amount);
        tokens[asset].transferUnderlyingTo(msg.sender, amount);
        emit Withdraw(asset, msg.sender, msg.sender, amount);
    }

    function borrow(address asset, uint256 amount) external {
        debts[asset] += amount;
        tokens[asset].transferUnderlyingTo(msg.sender, amount);
        emit Borrow(asset, msg.sender, msg.sender, amount, 2, 0, 0);
    }

    function repay(address asset, uint256 amount) external {
        debts[asset] -= amount;
        IERC20(asset).transferFrom(msg.sender, address(tokens[asset]), amount);
        emit Repay(asset, msg.sender, msg.sender, amount, false);
    }

    function liquidationCall(address collateral, address debt, address user, uint256 amount) external {
        emit LiquidationCall(collateral, debt, user, amount, amount, msg.sender, false);
    }
}

/// A market like those of Compound V2.
contract CToken is ERC20 {
    address public comptroller;
    address public underlying;
    address payable public admin;
    uint256 public totalBorrows;
    uint256 public totalReserves;

    event Mint(address minter, uint256 mintAmount, uint256 mintTokens);
    event Redeem(address redeemer, uint256 redeemAmount, uint256 redeemTokens);
    event Borrow(address borrower, uint256 borrowAmount, uint256 accountBorrows, uint256 totalBorrows);
    event RepayBorrow(address payer, address borrower, uint256 repayAmount, uint256 accountBorrows, uint256 totalBorrows);
    event LiquidateBorrow(address liquidator, address borrower, uint256 repayAmount, address cTokenCollateral, uint256 seizeTokens);
    event NewAdmin(address oldAdmin, address newAdmin);

    constructor(address comptroller_, address underlying_) ERC20("cToken", "cTKN") {
        (comptroller, underlying, admin) = (comptroller_, underlying_, payable(msg.sender));
    }

    function decimals() public pure override returns (uint8) {
        return 8;
    }

    function getCash() public view returns (uint256) {
        return IERC20(underlying).balanceOf(address(this));
    }

    function exchangeRateStored() public view returns (uint256) {
        if (totalSupply() == 0) return 2e26;
        return ((getCash() + totalBorrows - totalReserves) * 1e18) / totalSupply();
    }

    function mint(uint256 amount) external {
        uint256 shares = (amount * 1e18) / exchangeRateStored();
        IERC20(underlying).transferFrom(msg.sender, address(this), amount);
        _mint(msg.sender, shares);
        emit Mint(msg.sender, amount, shares);
    }

    function redeem(uint256 shares) external {
        uint256 amount = (shares * exchangeRateStored()) / 1e18;
        _burn(msg.sender, shares);
        IERC20(underlying).transfer(msg.sender, amount);
        emit Redeem(msg.sender, amount, shares);
    }

    function borrow(uint256 amount) external {
        require(amount <= getCash(), "no cash");
        totalBorrows += amount;
        IERC20(underlying).transfer(msg.sender, amount);
        emit Borrow(msg.sender, amount, amount, totalBorrows);
    }

    function repayBorrow(uint256 amount) external {
        totalBorrows -= amount;
        IERC20(underlying).transferFrom(msg.sender, address(this), amount);
        emit RepayBorrow(msg.sender, msg.sender, amount, 0, totalBorrows);
    }

    function liquidateBorrow(address borrower, uint256 amount) external {
        emit LiquidateBorrow(msg.sender, borrower, amount, address(this), amount);
    }
}

/// The risk settings of markets like those of Compound V2.
contract Comptroller {
    address public admin;
    address public oracle;
    mapping(address => bool) public mintGuardianPaused;

    event NewPriceOracle(address oldPriceOracle, address newPriceOracle);
    event NewCollateralFactor(address cToken, uint256 oldCollateralFactorMantissa, uint256 newCollateralFactorMantissa);
    event ActionPaused(address cToken, string action, bool pauseState);
    event MarketListed(address cToken);

    constructor() {
        admin = msg.sender;
    }

    function getAllMarkets() external pure returns (address[] memory) {
        return new address[](0);
    }

    function closeFactorMantissa() external pure returns (uint256) {
        return 5e17;
    }

    function liquidationIncentiveMantissa() external pure returns (uint256) {
        return 108e16;
    }

    function _setPriceOracle(address next) external {
        emit NewPriceOracle(oracle, next);
        oracle = next;
    }

    function _setCollateralFactor(address market, uint256 factor) external {
        emit NewCollateralFactor(market, 0, factor);
    }

    function _setMintPaused(address market, bool state) external {
        mintGuardianPaused[market] = state;
        emit ActionPaused(market, "Mint", state);
    }

    function enterMarkets(address[] calldata) external pure returns (uint256) {
        return 0;
    }
}

/// A market like those of Compound V3, behind a proxy.
contract Comet {
    address public baseToken;
    uint256 public totalSupply;
    uint256 public totalBorrow;
    bool public isSupplyPaused;

    event Supply(address indexed from, address indexed dst, uint256 amount);
    event Withdraw(address indexed src, address indexed to, uint256 amount);
    event AbsorbDebt(address indexed absorber, address indexed borrower, uint256 basePaidOut, uint256 usdValue);
    event PauseAction(bool supplyPaused, bool transferPaused, bool withdrawPaused, bool absorbPaused, bool buyPaused);

    function initialize(address base) external {
        baseToken = base;
    }

    function getUtilization() external view returns (uint256) {
        return totalSupply == 0 ? 0 : (totalBorrow * 1e18) / totalSupply;
    }

    function getReserves() external view returns (int256) {
        return int256(IERC20(baseToken).balanceOf(address(this))) - int256(totalSupply) + int256(totalBorrow);
    }

    function supply(uint256 amount) external {
        IERC20(baseToken).transferFrom(msg.sender, address(this), amount);
        totalSupply += amount;
        emit Supply(msg.sender, msg.sender, amount);
    }

    function withdraw(uint256 amount) external {
        totalSupply -= amount;
        IERC20(baseToken).transfer(msg.sender, amount);
        emit Withdraw(msg.sender, msg.sender, amount);
    }

    function borrow(uint256 amount) external {
        totalBorrow += amount;
        IERC20(baseToken).transfer(msg.sender, amount);
        emit Withdraw(msg.sender, msg.sender, amount);
    }

    function absorb(address borrower, uint256 amount) external {
        totalBorrow -= amount;
        emit AbsorbDebt(msg.sender, borrower, amount, amount);
    }

    function pause(bool state) external {
        isSupplyPaused = state;
        emit PauseAction(state, state, state, state, state);
    }
}
