/** The LayerZero V2 contracts of a chain: the endpoint and the library that verifies incoming messages. */
export type Deployment = { endpoint: string; receive_library: string };

const mainEndpoint = "0x1a44076050125825900e736c501f859c50fE728c";
const laterDeployment = {
  endpoint: "0x6F475642a6e85809B1c36Fa62763669b1b48DD5B",
  receive_library: "0xe1844c5D63a9543023008D332Bd3d2e6f1FE1043",
};

/** Known deployments by chain key. */
export const deployments: ReadonlyMap<string, Deployment> = new Map<string, Deployment>([
  ["ethereum", { endpoint: mainEndpoint, receive_library: "0xc02Ab410f0734EFa3F14628780e6e695156024C2" }],
  ["arbitrum", { endpoint: mainEndpoint, receive_library: "0x7B9E184e07a6EE1aC23eAe0fe8D6Be2f663f05e6" }],
  ["optimism", { endpoint: mainEndpoint, receive_library: "0x3c4962Ff6258dcfCafD23a814237B7d6Eb712063" }],
  ["base", { endpoint: mainEndpoint, receive_library: "0xc70AB6f32772f59fBfc23889Caf4Ba3376C84bAf" }],
  ["polygon", { endpoint: mainEndpoint, receive_library: "0x1322871e4ab09Bc7f5717189434f97bBD9546e95" }],
  ["bsc", { endpoint: mainEndpoint, receive_library: "0xB217266c3A98C8B2709Ee26836C98cf12f6cCEC1" }],
  ["avalanche", { endpoint: mainEndpoint, receive_library: "0xbf3521d309642FA9B1c91A08609505BA09752c61" }],
  ["sonic", laterDeployment],
  ["berachain", laterDeployment],
  ["unichain", laterDeployment],
  ["world_chain", laterDeployment],
  ["plasma", laterDeployment],
  ["monad", laterDeployment],
]);

/** The library that blocks all messages, for the main endpoint. */
export const blockedLibrary = "0x1ccBf0db9C192d969de57E25B3fF09A25bb1D862";

/** Returns the deployment on a chain with the overrides of the config; undefined if a part of it is unknown. */
export function deploymentOn(
  chain: string,
  overrides: { endpoint?: string | undefined; receive_library?: string | undefined },
): Deployment | undefined {
  const deployment = deployments.get(chain);
  const endpoint = overrides.endpoint ?? deployment?.endpoint;
  const receive_library = overrides.receive_library ?? deployment?.receive_library;
  return endpoint && receive_library ? { endpoint, receive_library } : undefined;
}
