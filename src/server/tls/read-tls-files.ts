import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

/** Paths of the certificate chain and the private key, PEM. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** The contents of the files. */
export interface TlsContent {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** The error of unusable TLS files; the message names the file and the problem. */
export class TlsFilesError extends Error {}

const tlsErrors = {
  unreadable: (file: string, cause: Error) =>
    new TlsFilesError(`${file} cannot be read: ${cause.message}`, { cause }),
  noCertificate: (file: string, cause: Error) =>
    new TlsFilesError(`${file} must begin with a certificate in PEM: ${cause.message}`, { cause }),
  noKey: (file: string, cause: Error) =>
    new TlsFilesError(`${file} must hold a private key in PEM that is not encrypted: ${cause.message}`, {
      cause,
    }),
  mismatch: ({ cert, key }: TlsFiles) =>
    new TlsFilesError(`${key} is not the private key of the certificate in ${cert}`),
  unusable: ({ cert, key }: TlsFiles, cause: Error) =>
    new TlsFilesError(`${cert} and ${key} cannot be used: ${cause.message}`, { cause }),
};

/** Reads a certificate and its key, and tests them by creating a server context. Throws TlsFilesError. */
export function readTlsFiles(files: TlsFiles): TlsContent {
  const content = { cert: read(files.cert), key: read(files.key) };
  const certificate = attempt(
    () => new X509Certificate(content.cert),
    (error) => tlsErrors.noCertificate(files.cert, error),
  );
  const key: KeyObject = attempt(
    () => createPrivateKey(content.key),
    (error) => tlsErrors.noKey(files.key, error),
  );
  if (!certificate.checkPrivateKey(key)) throw tlsErrors.mismatch(files);
  attempt(
    () => createSecureContext(content),
    (error) => tlsErrors.unusable(files, error),
  );
  return content;
}

function read(file: string): Buffer {
  return attempt(
    () => readFileSync(file),
    (error) => tlsErrors.unreadable(file, error),
  );
}

function attempt<T>(work: () => T, explain: (error: Error) => Error): T {
  try {
    return work();
  } catch (error) {
    throw explain(error as Error);
  }
}
