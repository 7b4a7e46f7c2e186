import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ZipWriter } from '../../../../src/engine/result/xlsx/zip-writer.ts';
import { ZipArchive } from '../../../../src/workspace/spreadsheets/zip-archive.ts';
import { makeFolder } from '../../../support/quern.ts';

const FILES: Readonly<Record<string, string>> = {
  'a.txt': 'a',
  'folder/b€.txt': 'b'.repeat(3_000_000),
  empty: '',
};

async function writeFiles(maxBytes?: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  const zip = new ZipWriter({ write: (bytes) => void parts.push(Buffer.from(bytes)) }, maxBytes);
  for (const [name, text] of Object.entries(FILES)) {
    const file = await zip.open(name);
    for (let at = 0; at < text.length; at += 100_000)
      await file.write(Buffer.from(text.slice(at, at + 100_000)));
    await file.close();
  }
  await zip.end();
  return Buffer.concat(parts);
}

describe('an archive', () => {
  it('has the bytes of its files', async () => {
    const file = path.join(makeFolder(), 'a.zip');
    writeFileSync(file, await writeFiles());
    const archive = await ZipArchive.open(file, 'a.zip');
    for (const [name, text] of Object.entries(FILES)) {
      const parts: Buffer[] = [];
      for await (const part of archive.read(name)) parts.push(part);
      expect(Buffer.concat(parts).toString() === text, name).toBe(true);
    }
  });

  it('has no errors for Python', async () => {
    const file = path.join(makeFolder(), 'a.zip');
    writeFileSync(file, await writeFiles());
    const listing = execFileSync('python3', ['-m', 'zipfile', '--test', file], { encoding: 'utf8' });
    expect(listing).toBe('Done testing\n');
  });

  it('refuses more bytes than its sizes may have', async () => {
    await expect(writeFiles(3_000_000)).rejects.toThrow('its sheet has more than 4,000,000,000 bytes');
  });
});
