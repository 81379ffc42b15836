// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// A market whose users need some of its functions once in a while.
contract PositionHub is Ownable {
    IERC20 public collateral;
    uint256 private count;

    event PositionOpened(uint256 indexed id, address indexed account, uint256 amount);
    event PositionClosed(uint256 indexed id, address indexed account, uint256 amount);
    event PositionTransferred(uint256 indexed id, address indexed from, address indexed to);
    event PositionTrimmed(uint256 indexed id, address indexed liquidator, uint256 repaid);
    event FlashLoan(address indexed receiver, uint256 amount, uint256 premium);
    event ReferralRegistered(address indexed account, bytes32 code);
    event DelegateApproved(address indexed account, address indexed delegate, bool approved);
    event CollateralConverted(address indexed account, uint256 from, uint256 to);
    event Rebalanced(uint256 moved, uint256 share);
    event FeesCollected(address indexed to, uint256 amount);
    event NoteLeft(address indexed account, string text);

    constructor(IERC20 token) Ownable(msg.sender) {
        collateral = token;
    }

    function open(uint256 amount) external {
        collateral.transferFrom(msg.sender, address(this), amount);
        emit PositionOpened(++count, msg.sender, amount);
    }

    function close(uint256 id, uint256 amount) external {
        collateral.transfer(msg.sender, amount);
        emit PositionClosed(id, msg.sender, amount);
    }

    /// What users do rarely, by its number.
    function once(uint256 what) external {
        if (what == 0) emit PositionTransferred(count, msg.sender, owner());
        if (what == 1) emit PositionTrimmed(count, msg.sender, 10);
        if (what == 2) emit FlashLoan(msg.sender, 1e6, 10);
        if (what == 3) emit ReferralRegistered(msg.sender, bytes32(count));
        if (what == 4) emit DelegateApproved(msg.sender, owner(), true);
        if (what == 5) emit CollateralConverted(msg.sender, 1, 2);
        if (what == 6) emit Rebalanced(1, 2);
        if (what == 7) emit FeesCollected(owner(), 1e6);
        if (what == 8) emit NoteLeft(msg.sender, "gm");
    }
}

/// A vault that lends out most of its assets for an epoch and gets them back at its end.
contract EpochVault is ERC4626, Ownable {
    uint256 public epoch;
    uint256 public lent;

    event EpochEnded(uint256 indexed epoch, uint256 returned);
    event EpochStarted(uint256 indexed epoch, uint256 lent);

    constructor(IERC20 token) ERC20("Epoch vault", "evUSD") ERC4626(token) Ownable(msg.sender) {}

    function totalAssets() public view override returns (uint256) {
        return super.totalAssets() + lent;
    }

    function endEpoch() external onlyOwner {
        IERC20(asset()).transferFrom(msg.sender, address(this), lent);
        emit EpochEnded(epoch, lent);
        lent = 0;
    }

    function startEpoch(uint256 amount) external onlyOwner {
        (epoch, lent) = (epoch + 1, amount);
        IERC20(asset()).transfer(msg.sender, amount);
        emit EpochStarted(epoch, amount);
    }
}

/// A collection whose mint is over: only trades remain.
contract MintedCollection is ERC721, Ownable {
    uint256 public totalSupply;
    uint256 public constant maxSupply = 400;
    uint256 public mintPrice = 0.01 ether;
    bool public isRevealed;

    event SaleClosed(uint256 minted);
    event Revealed(string uri);
    event MetadataUpdate(uint256 tokenId);
    event BatchMetadataUpdate(uint256 from, uint256 to);
    event ProceedsWithdrawn(address indexed to, uint256 amount);

    constructor() ERC721("Minted", "MNT") Ownable(msg.sender) {}

    function mint(uint256 many) external payable {
        for (uint256 at = 0; at < many; at++) _mint(msg.sender, ++totalSupply);
    }

    function reveal() external onlyOwner {
        isRevealed = true;
        emit Revealed("ipfs://");
        emit BatchMetadataUpdate(1, totalSupply);
    }

    function withdrawProceeds(address payable to) external onlyOwner {
        emit ProceedsWithdrawn(to, address(this).balance);
        to.transfer(address(this).balance);
    }
}
