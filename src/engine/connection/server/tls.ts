import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { DatabaseError } from '../contract/connection.ts';
import { getOption, type Options } from '../contract/kind.ts';

/** The TLS settings of a connection with resolved options; null without encryption. Rejects with a DatabaseError. */
export async function readTls(options: Options): Promise<ConnectionOptions | null> {
  const { sslmode, sslrootcert } = options;
  const host = getOption(options, 'host');
  if (sslmode === 'disable' || host.startsWith('/')) return null;
  const ca = sslrootcert === undefined ? {} : { ca: await readPem(sslrootcert, 'sslrootcert') };
  const name = isIP(host) === 0 ? { servername: host } : {};
  if (sslmode === 'require') return { ...name, rejectUnauthorized: false };
  if (sslmode === 'verify-ca') return { ...ca, ...name, checkServerIdentity: () => undefined };
  return { host, ...ca, ...name };
}

/** The text of a file that an option names. Rejects with a DatabaseError. */
export async function readPem(file: string, option: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const { message } = cause as Error;
    throw new DatabaseError('unreachable', `The option ${option} cannot be read: ${message}`, undefined, {
      cause,
    });
  }
}

/** Explains why a server could not be reached, and what to do. */
export function describeConnectFailure(cause: unknown, address: string): DatabaseError {
  const { code, message } = cause as NodeJS.ErrnoException;
  const text = EXPLANATIONS[code ?? '']?.(address) ?? findTlsAdvice(code ?? '', message, address);
  return new DatabaseError('unreachable', text, undefined, { cause });
}

const EXPLANATIONS: Readonly<Record<string, (address: string) => string>> = {
  ECONNREFUSED: (address) => `Nothing answers at ${address}: is the server running, and is this its port?`,
  ENOENT: (address) => `There is no socket at ${address}: is the server running?`,
  ENOTFOUND: (address) => `The host of ${address} is not known.`,
  EAI_AGAIN: (address) => `The host of ${address} could not be looked up.`,
  ETIMEDOUT: (address) => `${address} does not answer.`,
  ECONNRESET: (address) => `${address} broke off the connection.`,
  EHOSTUNREACH: (address) => `There is no way to ${address}.`,
};

function findTlsAdvice(code: string, message: string, address: string): string {
  if (/CERT|SIGNATURE|ISSUER/.test(code)) {
    return `The certificate of ${address} is not trusted (${message}): set sslrootcert to a file with its issuer, or sslmode.`;
  }
  if (/does not support SSL|HANDSHAKE_NO_SSL_SUPPORT|wrong version number/.test(message + code)) {
    return `${address} does not encrypt: set sslmode=disable if that is acceptable.`;
  }
  if (/timeout/i.test(message)) return `${address} does not answer.`;
  return `${address} cannot be connected to: ${message}.`;
}
