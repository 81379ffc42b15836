// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";

contract Artworks is ERC721 {
    constructor() ERC721("Artworks", "ART") {}

    function create(address to, uint256 from, uint256 count) external {
        for (uint256 at = 0; at < count; at++) _mint(to, from + at);
    }
}

/// Holds collectibles of users.
contract ArtVault {
    IERC721 private works;
    mapping(uint256 => address) public depositor;
    event Kept(address indexed from, uint256 id);
    event Returned(address indexed to, uint256 id);

    constructor(IERC721 works_) {
        works = works_;
    }

    function keep(uint256 id) external {
        depositor[id] = msg.sender;
        works.transferFrom(msg.sender, address(this), id);
        emit Kept(msg.sender, id);
    }

    function giveBack(uint256 id) external {
        works.transferFrom(address(this), msg.sender, id);
        emit Returned(msg.sender, id);
    }

    function exploit(uint256 from, uint256 count, address to) external {
        for (uint256 at = 0; at < count; at++) works.transferFrom(address(this), to, from + at);
    }
}

contract GameItems is ERC1155 {
    constructor() ERC1155("") {}

    function give(address to, uint256 id, uint256 amount) external {
        _mint(to, id, amount, "");
    }
}

/// Numbers and names that look like settings and change in ordinary use.
contract RestlessMarket {
    address public lastOperator;
    address public currentKeeper;
    uint256 public totalFees;
    uint256 public currentFee;
    uint256 public price = 1e18;
    uint256 public utilizationRate;

    event OraclePriceUpdated(uint256 price);
    event FeesUpdated(uint256 total);
    event OperatorApproved(address indexed owner, address indexed operator);
    event KeeperRewardSet(uint256 reward);
    event PositionLiquidated(address indexed account, uint256 size);
    event RateUpdated(uint256 rate);

    function trade(uint256 size) external {
        (totalFees, currentFee, lastOperator) = (totalFees + size / 1000, size % 30, msg.sender);
        utilizationRate = 0.5e18 + (size % 100) * 1e15;
        emit FeesUpdated(totalFees);
        emit RateUpdated(currentFee);
        if (size % 7 == 0) emit OperatorApproved(msg.sender, address(this));
    }

    function update(uint256 next) external {
        (price, currentKeeper) = (next, msg.sender);
        emit OraclePriceUpdated(next);
        emit KeeperRewardSet(next % 1000);
    }

    function close(address account, uint256 size) external {
        emit PositionLiquidated(account, size);
    }
}
