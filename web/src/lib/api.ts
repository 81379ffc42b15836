import createClient from "openapi-fetch";
import type { components, paths } from "@/lib/schema.d.ts";

export type Schemas = components["schemas"];

/** The reason a request failed, for people and for programs. `fields` has the problems of a 422 by input name. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  readonly code: string;
  readonly fields: Record<string, string>;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(response: Response, body: unknown) {
    const { message, code, fields } = explain(response, body);
    super(message);
    this.status = response.status;
    this.code = code;
    this.fields = fields;
    this.requestId = response.headers.get("x-request-id") ?? undefined;
    const seconds = Number(response.headers.get("retry-after"));
    this.retryAfterSeconds = seconds > 0 ? seconds : undefined;
  }
}

type Issue = { loc: (string | number)[]; msg: string };

function explain(response: Response, body: unknown) {
  const { detail, code } = (body ?? {}) as { detail?: string | Issue[]; code?: string };
  if (Array.isArray(detail)) {
    const fields = Object.fromEntries(detail.map(({ loc, msg }) => [loc.slice(1).join("."), msg]));
    const message = detail.map(({ loc, msg }) => `${loc.slice(1).join(".") || "request"}: ${msg}`).join("; ");
    return { message, code: "invalid", fields };
  }
  const message = detail ?? `The service answered with status ${response.status}. Try again.`;
  return { message, code: code ?? "unknown", fields: {} };
}

export const api = createClient<paths>({ baseUrl: location.origin });

api.use({
  async onResponse({ response }) {
    if (response.ok) return;
    throw new ApiError(
      response,
      await response
        .clone()
        .json()
        .catch(() => undefined),
    );
  },
});

/** Returns the body of a reply. Every failure has been thrown as an `ApiError` before. */
export async function data<Body>(reply: Promise<{ data?: Body }>): Promise<NonNullable<Body>> {
  return (await reply).data as NonNullable<Body>;
}
