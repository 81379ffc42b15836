import { z } from "zod";
import { PhoneNumber } from "../../channels/providers/sms.ts";
import { Id, Timestamp } from "../primitives.ts";

export const SmsNumber = z
  .strictObject({
    id: Id,
    phone: PhoneNumber,
    confirmed_at: Timestamp.nullable(),
    code_expires_at: Timestamp.nullable().meta({ description: "Null if the number is confirmed." }),
    created_at: Timestamp,
  })
  .meta({ id: "SmsNumber", description: "A phone number that an admin confirms with a code." });
export type SmsNumber = z.infer<typeof SmsNumber>;

export const SmsNumberCreate = z.strictObject({ phone: PhoneNumber }).meta({ id: "SmsNumberCreate" });
export type SmsNumberCreate = z.infer<typeof SmsNumberCreate>;

export const SmsNumberRequested = z
  .strictObject({
    status: z.enum(["code_sent", "confirmed", "no_code_needed"]).meta({
      description:
        "`code_sent`: enter the code. `confirmed`: it was confirmed before. `no_code_needed`: the operator allows its prefix.",
      examples: ["code_sent"],
    }),
    number: SmsNumber.nullable().meta({ description: "Null if no code is needed." }),
  })
  .meta({ id: "SmsNumberRequested", description: "What a phone number needs before it can be used." });
export type SmsNumberRequested = z.infer<typeof SmsNumberRequested>;

export const SmsCode = z
  .strictObject({
    code: z
      .string()
      .regex(/^\d{6}$/, "must have 6 digits")
      .meta({ description: "The code in the text message.", examples: ["482913"] }),
  })
  .meta({ id: "SmsCode" });
export type SmsCode = z.infer<typeof SmsCode>;
