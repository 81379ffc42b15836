import { deployments } from "../../meters/bridge/layerzero.ts";

const main = "0x1a44076050125825900e736c501f859c50fE728c";
const second = "0x6F475642a6e85809B1c36Fa62763669b1b48DD5B";
const testing = "0x6EDCE65403992e310A62460808c4b910D972f10f";

/** LayerZero endpoint ids and endpoint addresses by chain key. */
const endpointTable: readonly [chain: string, eid: number, endpoint: string][] = [
  ["ethereum", 30101, main],
  ["bsc", 30102, main],
  ["avalanche", 30106, main],
  ["polygon", 30109, main],
  ["arbitrum", 30110, main],
  ["optimism", 30111, main],
  ["celo", 30125, main],
  ["moonbeam", 30126, main],
  ["gnosis", 30145, main],
  ["metis", 30151, main],
  ["zksync", 30165, "0xd07C30aF3Ff30D96BDc9c6044958230Eb797DDBF"],
  ["mantle", 30181, main],
  ["linea", 30183, main],
  ["base", 30184, main],
  ["zora", 30195, main],
  ["scroll", 30214, main],
  ["blast", 30243, main],
  ["fraxtal", 30255, main],
  ["mode", 30260, main],
  ["sei", 30280, main],
  ["taiko", 30290, main],
  ["world_chain", 30319, second],
  ["unichain", 30320, second],
  ["abstract", 30324, "0x5c6cfF4b7C49805F8295Ff73C204ac83f3bC4AE7"],
  ["sonic", 30332, second],
  ["ink", 30339, "0xca29f3A6f966Cb2fc0dE625F8f325c0C46dbE958"],
  ["soneium", 30340, "0x4bCb6A963a9563C33569D7A512D35754221F3A19"],
  ["berachain", 30362, second],
  ["plasma", 30383, second],
  ["monad", 30390, second],
  ["sepolia", 40161, testing],
  ["base_sepolia", 40245, testing],
  ["arbitrum_sepolia", 40231, testing],
  ["optimism_sepolia", 40232, testing],
  ["polygon_amoy", 40267, testing],
];

/** Chains that apps have routes to, but that this service does not support. */
const unsupportedChains: readonly [chain: string, eid: number][] = [
  ["aptos", 30108],
  ["fantom", 30112],
  ["kaia", 30150],
  ["polygon_zkevm", 30158],
  ["solana", 30168],
  ["manta", 30217],
  ["apechain", 30312],
  ["ton", 30343],
  ["hyperliquid", 30367],
  ["plume", 30370],
  ["katana", 30375],
  ["tron", 30420],
  ["solana_devnet", 40168],
];

export type LayerZeroChain = { eid: number; endpoint: string; receive_library: string | undefined };

const byChain = new Map<string, LayerZeroChain>(
  endpointTable.map(([chain, eid, endpoint]) => [
    chain,
    { eid, endpoint, receive_library: deployments.get(chain)?.receive_library },
  ]),
);
const chainByEid = new Map([...endpointTable, ...unsupportedChains].map(([chain, eid]) => [eid, chain]));

/** Returns the LayerZero contracts on a chain; undefined if unknown. */
export function layerZeroChainOf(chain: string): LayerZeroChain | undefined {
  return byChain.get(chain);
}

/** Returns the chain key of an endpoint id. */
export function chainOfEid(eid: number): string | undefined {
  return chainByEid.get(eid);
}

/** Every known endpoint id. */
export const knownEids: readonly number[] = [...chainByEid.keys()];

/** Dead DVNs by chain: placeholder verifiers that never attest. */
export const deadVerifiers: ReadonlyMap<string, string> = new Map([
  ["ethereum", "0x747C741496a507E4B404b50463e691A8d692f6Ac"],
  ["arbitrum", "0x758C419533ad64Ce9D3413BC8d3A97B026098EC1"],
  ["base", "0x6498b0632f3834D7647367334838111c8C889703"],
  ["optimism", "0xEbc3065003e67CaaC747836dA272d9E5271A37e1"],
  ["bsc", "0xe9b5E4f9395a60799F4F608Ba3ABebDfC0ee6D9C"],
  ["polygon", "0x43CFcc293CdF99F7D021F21FfD443f174AB0e843"],
  ["avalanche", "0x90cCA24D1338Bd284C25776D9c12f96764Bde5e1"],
]);

/** The operators of verifiers by chain. The same address may have another operator on another chain. */
const operators: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ethereum: {
    "0x589dEDbD617e0CBcB916A9223F4d1300c294236b": "LayerZero Labs",
    "0xa59BA433ac34D2927232918Ef5B2eaAfcF130BA5": "Nethermind",
    "0x380275805876Ff19055EA900CDb2B46a94ecF20D": "Horizen",
  },
  arbitrum: {
    "0x2f55C492897526677C5B68fb199ea31E2c126416": "LayerZero Labs",
    "0xa7b5189bcA84Cd304D8553977c7C614329750d99": "Nethermind",
    "0xcd37CA043f8479064e10635020c65FfC005d36f6": "Stablelab",
    "0x19670Df5E16bEa2ba9b9e68b48C054C5bAEa06B8": "Horizen",
  },
  optimism: {
    "0x6A02D83e8d433304bba74EF1c427913958187142": "LayerZero Labs",
    "0xa7b5189bcA84Cd304D8553977c7C614329750d99": "Nethermind",
    "0xcd37CA043f8479064e10635020c65FfC005d36f6": "Stablelab",
  },
  base: {
    "0x9e059a54699a285714207b43B055483E78FAac25": "LayerZero Labs",
    "0xa7b5189bcA84Cd304D8553977c7C614329750d99": "Horizen",
    "0xcd37CA043f8479064e10635020c65FfC005d36f6": "Nethermind",
  },
  bsc: {
    "0xfD6865c841c2d64565562fCc7e05e619A30615f0": "LayerZero Labs",
    "0x31F748a368a893Bdb5aBB67ec95F232507601A73": "Nethermind",
  },
  polygon: {
    "0x23DE2FE932d9043291f870324B74F820e11dc81A": "LayerZero Labs",
    "0x31F748a368a893Bdb5aBB67ec95F232507601A73": "Nethermind",
  },
  avalanche: {
    "0x962F502A63F5FBeB44DC9ab932122648E8352959": "LayerZero Labs",
    "0xa59BA433ac34D2927232918Ef5B2eaAfcF130BA5": "Nethermind",
  },
};

/** Returns the operator of a verifier; undefined if unknown. */
export function operatorOf(chain: string, dvn: string): string | undefined {
  return operators[chain]?.[dvn];
}
