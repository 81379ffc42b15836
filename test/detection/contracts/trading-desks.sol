// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IERC1155} from "@openzeppelin/contracts/token/ERC1155/IERC1155.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// Exchanges collectibles of their holders, who approved it. It does not check who asks.
contract CollectibleDesk {
    event Traded(uint256 indexed trade, address indexed maker, address indexed taker);

    uint256 private trades;

    function trade(IERC721 collection, address maker, address taker, uint256 id) external {
        collection.transferFrom(maker, taker, id);
        emit Traded(++trades, maker, taker);
    }

    function tradeItems(IERC1155 collection, address maker, address taker, uint256 id, uint256 amount) external {
        collection.safeTransferFrom(maker, taker, id, amount, "");
        emit Traded(++trades, maker, taker);
    }
}

/// Sends the tokens of its users through routes that its owner adds, by their approvals.
contract SwapGateway is Ownable {
    mapping(uint32 => address) public routes;
    uint32 public routesCount;

    event NewRouteAdded(uint32 indexed routeId, address indexed route);
    event RouteDisabled(uint32 indexed routeId);
    event Bridged(uint32 indexed routeId, address indexed token, uint256 amount);

    constructor() Ownable(msg.sender) {}

    function addRoute(address route) external onlyOwner {
        routes[++routesCount] = route;
        emit NewRouteAdded(routesCount, route);
    }

    function disableRoute(uint32 id) external onlyOwner {
        routes[id] = address(0);
        emit RouteDisabled(id);
    }

    function executeRoute(uint32 id, IERC20 token, address from, uint256 amount) external {
        token.transferFrom(from, routes[id], amount);
        emit Bridged(id, address(token), amount);
    }
}
