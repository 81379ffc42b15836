import { expect, test } from "vitest";
import { abiNames } from "./abi-names.ts";

test("an ABI gives the signatures of its events, functions and views", () => {
  const abi = [
    {
      type: "event",
      name: "Transfer",
      inputs: [{ type: "address" }, { type: "address" }, { type: "uint256" }],
    },
    { type: "function", name: "mint", stateMutability: "nonpayable", inputs: [{ type: "address" }] },
    {
      type: "function",
      name: "totalSupply",
      stateMutability: "view",
      inputs: [],
      outputs: [{ type: "uint256" }],
    },
    {
      type: "function",
      name: "swap",
      inputs: [{ type: "tuple[]", components: [{ type: "address" }, { type: "uint24" }] }],
    },
    { type: "constructor", inputs: [] },
    { type: "event" },
  ];
  expect(abiNames(abi)).toEqual({
    events: ["Transfer(address,address,uint256)"],
    functions: ["mint(address)", "swap((address,uint24)[])"],
    views: ["totalSupply() view returns (uint256)"],
  });
});
