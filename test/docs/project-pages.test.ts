import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

describe('the README', () => {
  const readme = read('README.md');

  it('has fewer than 150 lines', () => {
    expect(readme.split('\n').length).toBeLessThan(150);
  });

  it('sets everything up with two commands, which CONTRIBUTING repeats', () => {
    for (const command of ['npm ci && npx quern demo', 'npm ci && npm test']) {
      expect(readme).toContain(`\n${command} `);
      expect(read('CONTRIBUTING.md')).toContain(`\n${command}\n`);
    }
  });

  it('shows a terminal and the console, with descriptions', () => {
    const images = [...readme.matchAll(/!\[([^\]]+)\]\(([^)]+)\)/g)].map(([, text, file]) => ({
      text,
      file,
    }));
    expect(images.map(({ file }) => file)).toEqual(['docs/images/terminal.svg', 'docs/images/console.png']);
    for (const { text } of images) expect(text?.length).toBeGreaterThan(40);
  });
});
