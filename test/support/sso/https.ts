import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';

/** A request over HTTPS but for its address. */
interface HttpsSending {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request to a server whose certificate is of an authority, a file, and returns what it answers; fails for any status but 2xx. */
export async function sendHttps(
  url: string,
  authority: string,
  { method = 'GET', headers = {}, body }: HttpsSending = {},
): Promise<{ readonly headers: Readonly<Record<string, unknown>>; readonly text: string }> {
  const outgoing = request(url, { method, headers, ca: readFileSync(authority), agent: false });
  outgoing.end(body);
  const [incoming] = await once(outgoing, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  if (incoming.statusCode < 200 || incoming.statusCode > 299) {
    throw new Error(`${method} ${url}: ${incoming.statusCode} ${text}`);
  }
  return { headers: incoming.headers, text };
}
