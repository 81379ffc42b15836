import { AsyncLocalStorage } from "node:async_hooks";

const owners = new AsyncLocalStorage<string>();

/** Runs work on behalf of an owner, whose budget applies to the shared resources that the work uses. */
export function runForOwner<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
  return owners.run(owner, work);
}

/** The owner of the current work; undefined for work of the service itself. */
export function currentOwner(): string | undefined {
  return owners.getStore();
}
