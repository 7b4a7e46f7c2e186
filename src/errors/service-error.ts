// The error of every operation that people call. Its status and its code are a part of the interface; its hint says
// what to do next. Any other error is a defect, and the server answers 500 without its text.

/** Maximum length of `message`, in UTF-16 code units. */
const MESSAGE_LIMIT = 500;

/** Optional fields of an error. */
interface ServiceErrorOptions extends ErrorOptions {
  /** An additional sentence for all callers, which may continue the detail: "did you mean `pg`?". */
  readonly hint?: string | undefined;
  /** Like `hint`, but may contain names that only a user with a terminal on the home may see. */
  readonly localHint?: string | undefined;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter?: number;
  /** The current entity tag, for a caller who may see the item. */
  readonly etag?: string;
}

/**
 * An error that a service returns to its caller: `status` is the HTTP status, `code` identifies the error for programs,
 * `detail` describes the case (docs/reference/http-api.md#failures), and `message` is its first line. Services create
 * these through the factories of their error catalogue, never inline; all other errors are internal. Every code is
 * documented in `docs/reference/errors.md`.
 */
export class ServiceError extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly hint: string | undefined;
  readonly localHint: string | undefined;
  readonly retryAfter: number | undefined;
  readonly etag: string | undefined;
  /** Further fields of the body of its response. */
  fields: Readonly<Record<string, unknown>> = {};

  constructor(status: number, code: string, detail: string, options?: ServiceErrorOptions) {
    super(toMessage(detail), options);
    this.name = 'ServiceError';
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.hint = options?.hint;
    this.localHint = options?.localHint;
    this.retryAfter = options?.retryAfter;
    this.etag = options?.etag;
  }
}

/** The first line of a message, cut between two characters when it is too long. */
function toMessage(detail: string): string {
  const [line = ''] = detail
    .replace(/^\s*\n/, '')
    .slice(0, MESSAGE_LIMIT + 1)
    .split(/\r\n|[\r\n]/, 1);
  if (line.length <= MESSAGE_LIMIT) return line;
  const isPair = /[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(line);
  return line.slice(0, isPair ? MESSAGE_LIMIT - 1 : MESSAGE_LIMIT);
}
