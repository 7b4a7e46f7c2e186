import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/guides/troubleshooting.md'), 'utf8');

const sources = ['bin', 'src', 'docs/guides']
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      path.join(folder, name),
    ),
  )
  .filter((name) => /\.(?:ts|js)$|deploy-proxy\.md$/.test(name))
  .map((name) =>
    readFileSync(path.join(root, name), 'utf8')
      .replaceAll(/`\s*\+\s*`|' \+\s*'/g, '')
      .replaceAll('\\`', '`'),
  );

/** The errors that the page explains: its headings in back-ticks; `…` means any text. */
const errors = [...page.matchAll(/^### `(.*)`$/gm)].map(([, text]) => text!);

/** Whether one file has all parts of a text, in their order. */
function isInCode(text: string): boolean {
  const parts = text.split('…').map((part) => part.replace(/[`:; ]+$/, '').trimStart());
  return sources.some((source) => {
    let at = 0;
    for (const part of parts) {
      at = source.indexOf(part, at);
      if (at < 0) return false;
    }
    return true;
  });
}

it.each(errors)('the guide of troubleshooting explains an error that exists: %s', (text) => {
  expect(text.replaceAll(/[^\p{L}]/gu, '').length).toBeGreaterThan(8);
  expect(isInCode(text)).toBe(true);
});

it('finds an error that the code does not have', () => {
  expect(errors.length).toBeGreaterThan(20);
  expect(isInCode('… is served by nobody already')).toBe(false);
});
