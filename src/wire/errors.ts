import { z } from "zod";
import { type ErrorCode, errorStatus } from "../errors/app-error.ts";

const codes = Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]];

/** The body of every error response except 422. */
export const Failure = z
  .strictObject({
    detail: z.string().describe("Human-readable error message."),
    code: z.enum(codes).describe("Machine-readable error code; `/docs/errors/{code}` explains each."),
  })
  .meta({
    id: "Failure",
    description: "The reason a request was rejected.",
    examples: [{ detail: "There is no such thing here.", code: "not_found" }],
  });

/** The body of a 422: the validation errors of the request. */
export const ValidationFailure = z
  .strictObject({
    detail: z.array(
      z.strictObject({
        loc: z
          .array(z.union([z.string(), z.int()]))
          .min(1)
          .describe("Location: body, query, path, header or cookie, followed by the path to the field."),
        msg: z.string().describe("Human-readable message."),
        type: z.string().describe("Machine-readable error type."),
      }),
    ),
  })
  .meta({
    id: "ValidationFailure",
    description:
      "The validation errors of the request, at most 100. If there are more, one of type `too_many_problems` follows.",
    examples: [{ detail: [{ loc: ["body", "email"], msg: "is required", type: "missing" }] }],
  });
