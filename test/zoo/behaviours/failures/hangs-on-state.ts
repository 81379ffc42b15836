import { type Behaviour, stateMethods } from "../../behaviour.ts";

export const hangsOnState: Behaviour = {
  name: "never answers state reads",
  manners: () => ({
    request: (calls) => (calls.some(({ method }) => stateMethods.has(method)) ? "hang" : undefined),
  }),
  says: { of: "target", what: /could not be read: .*node timed out\.$/i },
  readsState: false,
};
