import { samlErrors } from './errors.ts';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1024 * 1024;

/**
 * Reads a document from an https URL, without following redirects. Rejects with 422 for an invalid URL or an
 * unsuccessful response.
 */
export async function fetchMetadata(text: string): Promise<string> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') {
    throw samlErrors.notAMetadataUrl(text);
  }
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.status !== 200) throw new Error(`the response status is ${response.status}`);
    return new TextDecoder('utf-8', { fatal: true }).decode(await readAll(response));
  } catch (error) {
    throw samlErrors.unreachable(text, explain(error as Error));
  }
}

async function readAll({ body }: Response): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > MAX_BYTES) throw new Error(`the response has more than ${MAX_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Reports the cause instead of "fetch failed". */
function explain(error: Error): string {
  if (error.name === 'TimeoutError') return `no response within ${TIMEOUT_MS / 1000} seconds`;
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return 'code' in cause && cause.message === '' ? String(cause.code) : cause.message;
}
