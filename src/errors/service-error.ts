/** The Meaning column of interface section 7, by status; then HTTP's own reason phrase of others. */
const MEANINGS: Readonly<Record<number, string>> = {
  400: 'Validation failed',
  401: 'No valid token supplied',
  403: 'Token lacks permission',
  404: 'Resource does not exist',
  409: 'Conflict with another request',
  412: 'ETag does not match the current version',
  422: 'Well-formed request with semantic errors',
  428: 'Required header missing',
  500: 'Server-side failure',
  502: 'Server-side failure',
  503: 'Server-side failure',
  504: 'Server-side failure',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  501: 'Not Implemented',
};

/**
 * A refusal that a service hands to its caller: `status` as in HTTP, `message` the status's meaning,
 * `detail` the text for this case (interface section 7). Services throw these through the factories of
 * their own error catalogue, never inline; whatever else is thrown is a bug of ours. `hint` continues the detail for
 * a person at a terminal, as in "did you mean `pg`?"; it is no part of the interface.
 */
export class ServiceError extends Error {
  readonly status: number;
  readonly detail: string;
  readonly hint: string | undefined;
  /** After how many seconds the same request may succeed. */
  readonly retryAfter: number | undefined;

  constructor(
    status: number,
    detail: string,
    options?: ErrorOptions & { readonly hint?: string | undefined; readonly retryAfter?: number },
  ) {
    super(MEANINGS[status] ?? 'Server-side failure', options);
    this.name = 'ServiceError';
    this.status = status;
    this.detail = detail;
    this.hint = options?.hint;
    this.retryAfter = options?.retryAfter;
  }
}
