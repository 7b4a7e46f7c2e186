import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findLinks, listAnchors, PAGES } from '../support/pages.ts';

const root = path.resolve(import.meta.dirname, '../..');
const target = mkdtempSync(path.join(tmpdir(), 'quern-package-'));
const folder = path.join(target, 'package');
/** The pages of users; records of decisions link to the source. */
const pages = PAGES.filter((page) => !page.startsWith('docs/adr/'));

beforeAll(() => {
  // The scripts of the package would build it again.
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', target], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename }]: [{ filename: string }] = JSON.parse(packed.toString());
  execFileSync('tar', ['xzf', filename], { cwd: target });
});

afterAll(() => rmSync(target, { recursive: true }));

describe('the package', () => {
  it.each(pages)('contains %s and everything that it links to', (page) => {
    const text = readFileSync(path.join(folder, page), 'utf8');
    const broken = findLinks(text).filter((link) => {
      if (/^[a-z][a-z+.-]*:/.test(link)) return false;
      const [name = '', anchor] = decodeURI(link).split('#');
      const file = name === '' ? page : path.posix.join(path.posix.dirname(page), name);
      if (file.startsWith('..') || !existsSync(path.join(folder, file))) return true;
      return (
        anchor !== undefined && !listAnchors(readFileSync(path.join(folder, file), 'utf8')).includes(anchor)
      );
    });
    expect(broken).toEqual([]);
  });
});
