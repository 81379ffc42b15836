import { z } from "zod";

/** The body of every refusal but 422. */
export const Failure = z
  .strictObject({
    detail: z.string().describe("A sentence for a person."),
    code: z.string().describe("A word for a program."),
  })
  .meta({
    id: "Failure",
    description: "Why the request was refused.",
    examples: [{ detail: "There is no such thing here.", code: "not_found" }],
  });

/** The body of a 422: everything that is wrong with the request. */
export const ValidationFailure = z
  .strictObject({
    detail: z.array(
      z.strictObject({
        loc: z
          .array(z.union([z.string(), z.int()]))
          .min(1)
          .describe("Where: body, query, path, header or cookie, then the way to the field."),
        msg: z.string().describe("What is wrong, for a person."),
        type: z.string().describe("What is wrong, for a program."),
      }),
    ),
  })
  .meta({
    id: "ValidationFailure",
    description: "Everything that is wrong with the request.",
    examples: [{ detail: [{ loc: ["body", "email"], msg: "is required", type: "missing" }] }],
  });
