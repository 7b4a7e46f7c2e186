import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { readFigures } from '../measure.ts';

// trino-raw PORT TEXT: receives the pages of a query of Trino, and reads nothing of them but the address of the next.
const [port = '8080', text = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const headers = { 'x-trino-user': 'bench', 'accept-encoding': 'identity' };
/** The address of the next page is in the first bytes of a page, before its rows. */
const HEAD = 4_000;

async function fetchPage(url: string, body?: string): Promise<string | undefined> {
  const outgoing = request(url, { method: body === undefined ? 'GET' : 'POST', headers, agent });
  outgoing.end(body);
  const [incoming]: IncomingMessage[] = await once(outgoing, 'response');
  let head = '';
  for await (const part of incoming ?? []) if (head.length < HEAD) head += part.toString('latin1', 0, HEAD);
  return /"nextUri":"([^"]+)"/.exec(head)?.[1];
}

const [start, cpu] = [performance.now(), process.cpuUsage()];
let next = await fetchPage(`http://127.0.0.1:${port}/v1/statement`, text);
while (next !== undefined) next = await fetchPage(next);
console.log(JSON.stringify(readFigures(start, cpu)));
agent.destroy();
