/** The validity of a certificate (docs/reference/saml.md#settings). */
export interface CertificateValidity {
  readonly count: number;
  readonly unit: ValidityUnit;
}

export const VALIDITY_UNITS = ['days', 'months', 'years'] as const;

type ValidityUnit = (typeof VALIDITY_UNITS)[number];

/** Both as PEM. */
export interface ServiceKey {
  readonly certificate: string;
  readonly privateKey: string;
}

/** The maximum length of a common name in characters (X.520). */
const MAX_NAME_LENGTH = 64;
const RSA_BITS = 2_048;

/**
 * Creates a key and a self-signed certificate for it: RSA with 2,048 bits, SHA-256
 * (docs/reference/saml.md#certificates). `host` is the instance's.
 */
export async function createCertificate(
  host: string,
  validity: CertificateValidity,
  now: Date,
): Promise<ServiceKey> {
  const { generate } = await import('selfsigned');
  const name = host.slice(0, MAX_NAME_LENGTH);
  const { cert, private: privateKey } = await generate([{ name: 'commonName', value: name }], {
    keySize: RSA_BITS,
    algorithm: 'sha256',
    notBeforeDate: now,
    notAfterDate: findCertificateEnd(now, validity),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
    ],
  });
  return { certificate: toLines(cert), privateKey: toLines(privateKey) };
}

/** The end of a certificate that begins now. If the month has no such day, it is the last day of the month. */
export function findCertificateEnd(now: Date, { count, unit }: CertificateValidity): Date {
  const end = new Date(now);
  if (unit === 'days') {
    end.setUTCDate(end.getUTCDate() + count);
    return end;
  }
  const day = end.getUTCDate();
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + (unit === 'years' ? 12 : 1) * count);
  const last = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(day, last));
  return end;
}

function toLines(pem: string): string {
  return `${pem.replaceAll('\r', '').trim()}\n`;
}
