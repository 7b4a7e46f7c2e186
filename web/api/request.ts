import { createStore } from './store.ts';

/** Whether the last response came from the server itself. */
export const reachable = createStore(true);

const UNREACHABLE = 'The server cannot be reached. It may be restarting, or the network may be down.';

/** Statuses with which a proxy reports that the server does not respond. */
const GATEWAY_ERRORS = [502, 503, 504];

/**
 * An error response with the server's message (docs/reference/errors.md); status 0 if the server could not be reached.
 */
export class ApiError extends Error {
  readonly status: number;
  /** Seconds after which the same request can succeed; null if unknown. */
  readonly retryAfter: number | null;
  /** The request's id in the server's log; null without a response of the server. */
  readonly requestId: string | null;

  constructor(
    status: number,
    detail: string,
    { retryAfter = null, requestId = null }: { retryAfter?: number | null; requestId?: string | null } = {},
  ) {
    super(detail);
    this.name = 'ApiError';
    this.status = status;
    this.retryAfter = retryAfter;
    this.requestId = requestId;
  }
}

interface RequestOptions {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  /** Further headers, such as `if-match`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The session's CSRF token; required by requests that change something. */
  readonly csrfToken?: string;
  readonly signal?: AbortSignal;
}

/** A response; its body is undefined for the statuses 204 and 304. */
interface Exchange<Answer> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Answer;
}

/** Calls a route of the console (`/console/api/…`). Rejects with an ApiError; returns undefined for a response without a body. */
export async function request<Answer>(path: string, options: RequestOptions = {}): Promise<Answer> {
  return (await exchange<Answer>(path, options)).body;
}

/** Like `request`, with the status and the headers of the response. */
export async function exchange<Answer>(
  path: string,
  options: RequestOptions = {},
): Promise<Exchange<Answer>> {
  const { response, content } = await send(path, options, (answer) => answer.text());
  const { status, headers } = response;
  const body = parse(content);
  const isEmpty = status === 204 || status === 304;
  if (!isEmpty && (!response.ok || body === undefined)) throw toError(response, body);
  reachable.set(true);
  return { status, headers, body: body as Answer };
}

/** Like `exchange`, for a response of bytes. */
export async function exchangeBytes(
  path: string,
  options: RequestOptions = {},
): Promise<Exchange<Uint8Array>> {
  const { response, content } = await send(path, options, (answer) => answer.arrayBuffer());
  const { status, headers } = response;
  if (!response.ok) throw toError(response, parse(new TextDecoder().decode(content)));
  reachable.set(true);
  return { status, headers, body: new Uint8Array(content) };
}

async function send<Content>(
  path: string,
  { method = 'GET', body, headers: requestHeaders = {}, csrfToken, signal }: RequestOptions,
  read: (response: Response) => Promise<Content>,
): Promise<{ readonly response: Response; readonly content: Content }> {
  const headers = new Headers({ accept: 'application/json', ...requestHeaders });
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (csrfToken !== undefined) headers.set('x-csrf-token', csrfToken);
  try {
    const response = await fetch(`/console/api/${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    return { response, content: await read(response) };
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw toUnreachable();
  }
}

function toError(response: Response, body: unknown): ApiError {
  const { status, headers } = response;
  const detail = (body as { detail?: unknown } | undefined)?.detail;
  if (GATEWAY_ERRORS.includes(status) && detail === undefined) return toUnreachable();
  reachable.set(true);
  const message = typeof detail === 'string' ? detail : `The server returned status ${status}`;
  return new ApiError(status, message, {
    retryAfter: readRetryAfter(response),
    requestId: headers.get('x-request-id'),
  });
}

function toUnreachable(): ApiError {
  reachable.set(false);
  return new ApiError(0, UNREACHABLE);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readRetryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}
