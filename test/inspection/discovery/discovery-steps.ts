import { discoverWallets } from "../../../src/jobs/discover-wallets.ts";
import type { WalletDiscovery } from "../../../src/wire/imports/discoveries.ts";
import type { harness, Person } from "../../support/harness.ts";

type Harness = Awaited<ReturnType<typeof harness>>;

export async function makeEnterpriseAdmin(h: Harness): Promise<Person> {
  const person = await h.personOn("enterprise");
  return person;
}

export async function startDiscovery(
  one: Pick<Person, "client">,
  wallet_address: string,
  chain_ids = [31337],
): Promise<WalletDiscovery> {
  const reply = await one.client.post("/wallet-discoveries", { wallet_address, chain_ids });
  if (reply.status !== 202) throw new Error(reply.text);
  return reply.body as WalletDiscovery;
}

/** Starts a discovery, runs the job until it is done, and returns the result. */
export async function runDiscovery(
  h: Harness,
  person: Person,
  wallet: string,
  chain_ids = [31337],
): Promise<WalletDiscovery> {
  const { id } = await startDiscovery(person, wallet, chain_ids);
  while ((await discoverWallets.run(h.app)).hasMore);
  return (await person.client.get(`/wallet-discoveries/${id}`)).body as WalletDiscovery;
}
