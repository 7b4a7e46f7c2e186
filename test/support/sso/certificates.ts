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
  const authority = await create('Certificate authority of the tests', {
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
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
  const write = (name: string, text: string) => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  return {
    authority: write('authority.pem', authority.certificate),
    certificate: write('server.pem', server.certificate),
    key: write('server.key', server.key),
  };
}

async function create(name: string, options: SelfsignedOptions): Promise<CertificateAndKey> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
    keySize: 2048,
    algorithm: 'sha256',
    ...options,
  });
  return { certificate: cert, key };
}
