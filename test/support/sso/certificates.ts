import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { generate, type SelfsignedOptions } from 'selfsigned';

/** A certificate and its key, as PEM. */
export interface CertificateAndKey {
  readonly certificate: string;
  readonly key: string;
}

/** The certificates of the servers of a test, and the authorities that their clients trust. */
export interface TlsFiles {
  /** The certificate authority. */
  readonly authority: string;
  /** Of `localhost` and `127.0.0.1`: two hosts, and two sites for browsers. */
  readonly certificate: string;
  readonly key: string;
}

/** Makes a self-signed certificate, as identity providers use for signatures. */
export async function createSigningCertificate(name: string): Promise<CertificateAndKey> {
  return create(name, {});
}

/** Makes a certificate authority and a certificate that it issues, below a folder. */
export async function createTlsFiles(folder: string): Promise<TlsFiles> {
  return issueTo(folder, await createAuthority());
}

/** The same, and a client certificate of the same authority: its common name is `client`. */
export async function createTlsFilesOfBoth(
  folder: string,
  client: string,
): Promise<TlsFiles & { readonly client: { readonly certificate: string; readonly key: string } }> {
  const authority = await createAuthority();
  const { certificate, key } = await create(client, {
    ca: { cert: authority.certificate, key: authority.key },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true },
      { name: 'extKeyUsage', clientAuth: true },
    ],
  });
  const files = {
    certificate: writeInto(folder, 'client.pem', certificate),
    key: writeInto(folder, 'client.key', key),
  };
  return { ...(await issueTo(folder, authority)), client: files };
}

function createAuthority(): Promise<CertificateAndKey> {
  return create('Certificate authority of the tests', {
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
}

async function issueTo(folder: string, authority: CertificateAndKey): Promise<TlsFiles> {
  const server = await create('localhost', {
    ca: { cert: authority.certificate, key: authority.key },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  return {
    authority: writeInto(folder, 'authority.pem', authority.certificate),
    certificate: writeInto(folder, 'server.pem', server.certificate),
    key: writeInto(folder, 'server.key', server.key),
  };
}

function writeInto(folder: string, name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

async function create(name: string, options: SelfsignedOptions): Promise<CertificateAndKey> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
    keySize: 2048,
    algorithm: 'sha256',
    ...options,
  });
  return { certificate: cert, key };
}
