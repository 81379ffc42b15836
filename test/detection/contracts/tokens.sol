// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// A token that its owner can mint, burn and pause.
contract Coin is ERC20, Ownable {
    event Paused(address account);
    event Unpaused(address account);

    uint8 private immutable places;
    bool public paused;

    constructor(string memory symbol_, uint8 decimals_, uint256 supply) ERC20(symbol_, symbol_) Ownable(msg.sender) {
        places = decimals_;
        _mint(msg.sender, supply);
    }

    function decimals() public view override returns (uint8) {
        return places;
    }

    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }

    function burn(uint256 amount) external {
        _burn(msg.sender, amount);
    }

    function pause() external onlyOwner {
        paused = true;
        emit Paused(msg.sender);
    }

    function unpause() external onlyOwner {
        paused = false;
        emit Unpaused(msg.sender);
    }

    function _update(address from, address to, uint256 value) internal override {
        require(!paused, "paused");
        super._update(from, to, value);
    }
}

/// A token whose minters have a role.
contract RoleCoin is ERC20, AccessControl {
    bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE");

    constructor(string memory symbol_, uint256 supply) ERC20(symbol_, symbol_) {
        _grantRole(DEFAULT_ADMIN_ROLE, msg.sender);
        _grantRole(MINTER_ROLE, msg.sender);
        _mint(msg.sender, supply);
    }

    function mint(address to, uint256 amount) external onlyRole(MINTER_ROLE) {
        _mint(to, amount);
    }
}

contract Collectible is ERC721, Ownable {
    uint256 public totalSupply;

    constructor() ERC721("Apes", "APE") Ownable(msg.sender) {}

    function mint(address to, uint256 count) external onlyOwner {
        for (uint256 at = 0; at < count; at++) _mint(to, ++totalSupply);
    }
}

/// A bridged token like LayerZero's omnichain tokens: messages of its peers mint it.
contract OmnichainToken is ERC20, Ownable {
    event PeerSet(uint32 eid, bytes32 peer);
    event OFTReceived(bytes32 indexed guid, uint32 srcEid, address indexed toAddress, uint256 amountReceivedLD);

    address public immutable endpoint;
    mapping(uint32 => bytes32) public peers;

    constructor(address endpoint_, uint256 supply) ERC20("GAIN", "GAIN") Ownable(msg.sender) {
        endpoint = endpoint_;
        _mint(msg.sender, supply);
    }

    function oAppVersion() external pure returns (uint64, uint64) {
        return (1, 2);
    }

    function token() external view returns (address) {
        return address(this);
    }

    function setPeer(uint32 eid, bytes32 peer) external onlyOwner {
        peers[eid] = peer;
        emit PeerSet(eid, peer);
    }

    function receiveFrom(uint32 eid, bytes32 sender, address to, uint256 amount) external {
        require(peers[eid] == sender, "unknown peer");
        _mint(to, amount);
        emit OFTReceived(keccak256(abi.encode(eid, to, amount, block.number)), eid, to, amount);
    }

    function send(uint256 amount) external {
        _burn(msg.sender, amount);
    }
}

/// Liquid staking: the value of the token in ether is a rate that grows.
contract StakedEther is ERC20, Ownable {
    uint256 private rate = 1.05e18;
    event ExchangeRateUpdated(address indexed oracle, uint256 rate);

    constructor() ERC20("Staked Ether", "rsETH") Ownable(msg.sender) {
        _mint(msg.sender, 50_000e18);
    }

    function exchangeRate() external view returns (uint256) {
        return rate;
    }

    function updateExchangeRate(uint256 next) external onlyOwner {
        rate = next;
        emit ExchangeRateUpdated(msg.sender, next);
    }

    function deposit() external payable {
        _mint(msg.sender, (msg.value * 1e18) / rate);
    }

    function withdraw(uint256 shares) external {
        _burn(msg.sender, shares);
        payable(msg.sender).transfer((shares * rate) / 1e18);
    }
}
