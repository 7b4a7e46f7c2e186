import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** An answer; `body` is the address for 302. */
interface Answer {
  readonly status: number;
  readonly body: string;
}

/**
 * A server on this machine that answers over HTTPS, by path, until the test has finished; other paths never
 * get an answer. `env` makes a new process trust its certificate.
 */
export async function serveDocuments(cwd: string, answers: Readonly<Record<string, Answer>>) {
  const [key, cert] = [path.join(cwd, 'idp.key'), path.join(cwd, 'idp.crt')];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  const names = ['-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', [...request, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (asked, answer) => {
    const found = answers[asked.url ?? ''];
    if (found === undefined) return;
    answer.writeHead(found.status, found.status === 302 ? { location: found.body } : {});
    answer.end(found.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    env: { NODE_EXTRA_CA_CERTS: cert },
  };
}
