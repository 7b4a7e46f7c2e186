// The health check of the image: asks the server of the home whether it is ready. The address is that of its file
// `server.json`, so that each setting of the address and of TLS works. Exits with 0 or 1, within five seconds.
import { readFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import path from 'node:path';
import process from 'node:process';

const TIMEOUT_MS = 5_000;
/** Addresses that mean all addresses of a machine, and an address of it that reaches them. */
const LOOPBACK = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' };

function end(message, code) {
  console.log(message);
  process.exit(code);
}

function readUrl() {
  const { url } = JSON.parse(readFileSync(path.join(process.env.QUERN_HOME ?? '', 'server.json'), 'utf8'));
  const address = new URL('/health/ready', url);
  address.hostname = LOOPBACK[address.hostname] ?? address.hostname;
  return address;
}

function ask(url) {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  // The certificate is for the public name of the server.
  const options = { rejectUnauthorized: false, signal: AbortSignal.timeout(TIMEOUT_MS) };
  const request = send(url, options, (answer) => {
    answer.resume();
    end(`${url}: ${answer.statusCode}`, answer.statusCode === 200 ? 0 : 1);
  });
  request.on('error', (error) => end(`${url}: ${error.message}`, 1));
  request.end();
}

try {
  ask(readUrl());
} catch (error) {
  end(`no server of this home: ${error.message}`, 1);
}
