import type { App } from "../app.ts";
import type { Db } from "../store/open-store.ts";
import type { OrgCaller } from "./caller.ts";
import type { TxEffects } from "./transaction.ts";

/** A transaction under way, with the caller it runs for and the effects it collects. */
export type WriteContext = CheckContext & { effects: TxEffects };

/** What the checks of input need of it. */
export type CheckContext = { app: App; tx: Db; caller: OrgCaller };
