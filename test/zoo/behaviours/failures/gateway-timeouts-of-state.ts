import { type Behaviour, stateMethods } from "../../behaviour.ts";

export const gatewayTimeoutsOfState: Behaviour = {
  name: "answers state reads with 504",
  manners: () => ({
    request: (calls) =>
      calls.some(({ method }) => stateMethods.has(method))
        ? { status: 504, body: "Gateway Time-out" }
        : undefined,
  }),
  says: { of: "target", what: /could not be read: .*node returned status 504\.$/ },
  readsState: false,
};
