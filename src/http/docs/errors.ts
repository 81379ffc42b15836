import { type ErrorCode, errorStatus } from "../../errors/app-error.ts";
import { errorTexts } from "../../errors/error-texts.ts";
import { type DocPage, heading, list, paragraph } from "./page.ts";

const codes = Object.keys(errorStatus) as ErrorCode[];

/** A page about each error code, and a list of them. */
export function errorPages(): DocPage[] {
  return [listPage(), ...codes.map(codePage)];
}

function listPage(): DocPage {
  const items = codes.map((code) => `[\`${code}\`](/docs/errors/${code}) (${errorStatus[code]})`);
  return {
    path: "/docs/errors",
    title: "Error codes",
    about: "Errors have a `detail` for people and a `code` for programs. A 422 lists all validation errors.",
    blocks: [list(items)],
  };
}

function codePage(code: ErrorCode): DocPage {
  const { meaning, remedy } = errorTexts[code];
  return {
    path: `/docs/errors/${code}`,
    title: code,
    about: `Status ${errorStatus[code]}. ${meaning}`,
    blocks: [heading("What to do"), paragraph(remedy), paragraph("[All error codes](/docs/errors)")],
  };
}
