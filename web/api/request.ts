/** An error response with the server's message (interface 7); status 0 without a response. */
export class ApiError extends Error {
  readonly status: number;
  /** Seconds after which the same request can succeed; null if unknown. */
  readonly retryAfter: number | null;

  constructor(status: number, detail: string, retryAfter: number | null = null) {
    super(detail);
    this.name = 'ApiError';
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly body?: unknown;
  /** The session's CSRF token; required by requests that change something. */
  readonly csrfToken?: string;
  readonly signal?: AbortSignal;
}

/** Calls a route of the console (`/console/api/…`). Rejects with an ApiError; returns undefined for a response without a body. */
export async function request<Answer>(path: string, options: RequestOptions = {}): Promise<Answer> {
  const response = await send(path, options);
  if (response.status === 204) return undefined as Answer;
  const text = await response.text().catch(() => '');
  const body = parse(text);
  if (response.ok && body !== undefined) return body as Answer;
  const detail = (body as { detail?: unknown } | undefined)?.detail;
  throw new ApiError(
    response.status,
    typeof detail === 'string' ? detail : `The server returned status ${response.status}`,
    readRetryAfter(response),
  );
}

async function send(
  path: string,
  { method = 'GET', body, csrfToken, signal }: RequestOptions,
): Promise<Response> {
  const headers = new Headers({ accept: 'application/json' });
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (csrfToken !== undefined) headers.set('x-csrf-token', csrfToken);
  try {
    return await fetch(`/console/api/${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new ApiError(0, 'The server cannot be reached. It may be restarting, or the network may be down.');
  }
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
