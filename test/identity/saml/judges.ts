import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** Whether xmlsec1, which verifies signatures, is installed. */
export const hasXmlsec = spawnSync('xmlsec1', ['--version']).status === 0;

/** Validates XML with a SAML schema. Throws when it is not valid. */
export function validate(xml: string, schema: 'protocol' | 'metadata'): void {
  const file = path.resolve(import.meta.dirname, `../../../schema/saml/saml-schema-${schema}-2.0.xsd`);
  execFileSync('xmllint', ['--nonet', '--noout', '--schema', file, write('message.xml', xml)], {
    stdio: 'pipe',
  });
}

/**
 * Verifies the signature in XML with xmlsec1; `root` is the namespace and name of the signed element. Throws when the
 * signature does not match the certificate, which is PEM.
 */
export function verifySignature(xml: string, certificate: string, root: string): void {
  const key = ['--pubkey-cert-pem', write('certificate.pem', certificate)];
  const args = ['--verify', ...key, '--id-attr:ID', root, write('message.xml', xml)];
  execFileSync('xmlsec1', args, { stdio: 'pipe' });
}

/** The path of a file that is deleted after the test. */
function write(name: string, text: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'quern-saml-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}
