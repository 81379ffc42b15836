import { loadConfig } from "../config.ts";
import { makeDocument } from "../http/openapi/document.ts";
import type { Command } from "./command.ts";

export const openapi: Command = {
  name: "openapi",
  usage: "",
  summary: "Print the OpenAPI description",
  async run() {
    console.log(JSON.stringify(makeDocument(loadConfig()), null, 2));
  },
};
