/** The longest `message`, in UTF-16 code units. */
const MESSAGE_LIMIT = 500;

/** What a refusal may carry beside its text. */
interface ServiceErrorOptions extends ErrorOptions {
  /** A further sentence for every caller, which can also continue the detail: "did you mean `pg`?". */
  readonly hint?: string | undefined;
  /** As `hint`, but with names that only a person at a terminal on the home may see. */
  readonly localHint?: string | undefined;
  /** After how many seconds the same request may succeed. */
  readonly retryAfter?: number;
  /** The current entity tag, for a caller who may see the item. */
  readonly etag?: string;
}

/**
 * A refusal that a service hands to its caller: `status` as in HTTP, `code` a stable word for programs, `detail` the
 * text of the case (interface section 7), and `message` its first line. Services throw these through the factories of
 * their error catalogue, never inline; anything else that is thrown is an internal error. Every code is documented in
 * `docs/errors.md`.
 */
export class ServiceError extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly hint: string | undefined;
  readonly localHint: string | undefined;
  readonly retryAfter: number | undefined;
  readonly etag: string | undefined;

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

/** The first line of a text, cut between two characters where it is too long. */
function toMessage(detail: string): string {
  const [line = ''] = detail
    .replace(/^\s*\n/, '')
    .slice(0, MESSAGE_LIMIT + 1)
    .split(/\r\n|[\r\n]/, 1);
  if (line.length <= MESSAGE_LIMIT) return line;
  const isPair = /[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(line);
  return line.slice(0, isPair ? MESSAGE_LIMIT - 1 : MESSAGE_LIMIT);
}
