// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

struct UlnConfig {
    uint64 confirmations;
    uint8 requiredDVNCount;
    uint8 optionalDVNCount;
    uint8 optionalDVNThreshold;
    address[] requiredDVNs;
    address[] optionalDVNs;
}

/// Keeps who must verify messages, as LayerZero's libraries do: what an app leaves open is taken from the default.
contract MessageLibrary {
    error LZ_ULN_AtLeastOneDVN();

    mapping(uint32 eid => UlnConfig) private defaults;
    mapping(address app => mapping(uint32 eid => UlnConfig)) private chosen;

    function setDefault(uint32 eid, UlnConfig calldata config) external {
        defaults[eid] = config;
    }

    function set(address app, uint32 eid, UlnConfig calldata config) external {
        chosen[app][eid] = config;
    }

    function getAppUlnConfig(address app, uint32 eid) external view returns (UlnConfig memory) {
        return chosen[app][eid];
    }

    function getUlnConfig(address app, uint32 eid) public view returns (UlnConfig memory config) {
        UlnConfig memory own = chosen[app][eid];
        UlnConfig memory other = defaults[eid];
        config = other;
        if (own.confirmations == type(uint64).max) config.confirmations = 0;
        else if (own.confirmations != 0) config.confirmations = own.confirmations;
        if (own.requiredDVNCount == 255) (config.requiredDVNCount, config.requiredDVNs) = (0, new address[](0));
        else if (own.requiredDVNCount != 0)
            (config.requiredDVNCount, config.requiredDVNs) = (own.requiredDVNCount, own.requiredDVNs);
        if (own.optionalDVNCount == 255)
            (config.optionalDVNCount, config.optionalDVNThreshold, config.optionalDVNs) = (0, 0, new address[](0));
        else if (own.optionalDVNCount != 0)
            (config.optionalDVNCount, config.optionalDVNThreshold, config.optionalDVNs) =
                (own.optionalDVNCount, own.optionalDVNThreshold, own.optionalDVNs);
        if (config.requiredDVNCount == 0 && config.optionalDVNThreshold == 0) revert LZ_ULN_AtLeastOneDVN();
    }
}

/// The part of LayerZero's endpoint that tells how messages are verified.
contract MessageEndpoint {
    error LZ_DefaultReceiveLibUnavailable();

    uint32 public eid;
    address private sendLibrary;
    address private receiveLibrary;
    mapping(address app => address) public delegates;
    mapping(address app => mapping(uint32 eid => bool)) private closed;

    constructor(uint32 number, address sending, address receiving) {
        (eid, sendLibrary, receiveLibrary) = (number, sending, receiving);
    }

    function setDelegate(address app, address delegate) external {
        delegates[app] = delegate;
    }

    function close(address app, uint32 from) external {
        closed[app][from] = true;
    }

    function getSendLibrary(address, uint32) external view returns (address) {
        return sendLibrary;
    }

    function getReceiveLibrary(address app, uint32 from) external view returns (address, bool) {
        if (closed[app][from]) revert LZ_DefaultReceiveLibUnavailable();
        return (receiveLibrary, true);
    }

    function receiveLibraryTimeout(address, uint32) external pure returns (address, uint256) {
        return (address(0), 0);
    }

    function getConfig(address app, address library_, uint32 number, uint32) external view returns (bytes memory) {
        return abi.encode(MessageLibrary(library_).getUlnConfig(app, number));
    }
}

/// An app that speaks with its like on other chains.
contract BridgeApp {
    event PeerSet(uint32 eid, bytes32 peer);

    address public endpoint;
    address public owner;
    mapping(uint32 eid => bytes32) public peers;

    constructor(address through, address boss) {
        (endpoint, owner) = (through, boss);
    }

    function oAppVersion() external pure returns (uint64, uint64) {
        return (1, 2);
    }

    function setPeer(uint32 eid, bytes32 peer) external {
        peers[eid] = peer;
        emit PeerSet(eid, peer);
    }
}

interface DelegatingEndpoint {
    function setDelegate(address delegate) external;
}

/// The same on LayerZero's own endpoint, where its owner may set how messages to it are verified.
contract DelegatingApp is BridgeApp {
    constructor(address through, address boss) BridgeApp(through, boss) {
        DelegatingEndpoint(through).setDelegate(boss);
    }
}
