import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';

/** A request over HTTPS without its address. */
interface HttpsSending {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A complete answer. */
interface HttpsAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request to a server whose certificate is issued by an authority (a file). */
export async function sendHttps(
  url: string,
  authority: string,
  { method = 'GET', headers = {}, body }: HttpsSending = {},
): Promise<HttpsAnswer> {
  const outgoing = request(url, { method, headers, ca: readFileSync(authority), agent: false });
  outgoing.end(body);
  const [incoming] = await once(outgoing, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  return { status: incoming.statusCode, headers: incoming.headers, text };
}

/** The same for a request that must succeed. */
export async function fetchHttps(
  url: string,
  authority: string,
  sending: HttpsSending = {},
): Promise<HttpsAnswer> {
  const answer = await sendHttps(url, authority, sending);
  if (answer.status >= 200 && answer.status <= 299) return answer;
  throw new Error(`${sending.method ?? 'GET'} ${url}: ${answer.status} ${answer.text}`);
}
