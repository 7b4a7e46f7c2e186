import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** Whether xmlsec1 is there, which verifies signatures. */
export const hasXmlsec = spawnSync('xmlsec1', ['--version']).status === 0;

/** Validates XML by a schema of SAML. Throws where it is not valid. */
export function validate(xml: string, schema: 'protocol' | 'metadata'): void {
  const file = path.resolve(`schema/saml/saml-schema-${schema}-2.0.xsd`);
  execFileSync('xmllint', ['--nonet', '--noout', '--schema', file, write('message.xml', xml)], {
    stdio: 'pipe',
  });
}

/**
 * Has xmlsec1 verify the signature in XML; `root` is the namespace and name of the element that it signs. Throws where it
 * does not fit the certificate, which is PEM.
 */
export function verifySignature(xml: string, certificate: string, root: string): void {
  const key = ['--pubkey-cert-pem', write('certificate.pem', certificate)];
  const args = ['--verify', ...key, '--id-attr:ID', root, write('message.xml', xml)];
  execFileSync('xmlsec1', args, { stdio: 'pipe' });
}

/** The path of a file, which goes with the test. */
function write(name: string, text: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'quern-saml-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}
