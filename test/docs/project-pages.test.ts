import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** The texts in back-ticks, without those in fenced blocks. */
const listNames = (text: string) =>
  [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name);

const sources = ['src', 'test'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => read(`${folder}/${file}`)),
);

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

describe('CONTRIBUTING', () => {
  const page = read('CONTRIBUTING.md');
  const recipes = page.slice(0, page.indexOf('## Code map')) + page.slice(page.indexOf('## Recipes'));

  it('names files and folders that exist', () => {
    const named = listNames(recipes).filter((name) => /^[\w.-]+(?:\/[\w.-]+)+$/.test(name));
    const missing = named.filter((name) => !existsSync(path.join(root, name)));
    expect(named.length).toBeGreaterThan(60);
    expect(missing.filter((name) => path.basename(name) !== 'PAGE.md')).toEqual([]);
  });

  it('names types and tables that exist', () => {
    const named = listNames(recipes).filter((name) => /^[A-Z][A-Za-z_]{3,}$/.test(name));
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !sources.some((text) => new RegExp(`\\b${name}\\b`).test(text)))).toEqual(
      [],
    );
  });

  it('names commands of npm that exist', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));
    const commands = [...page.matchAll(/\bnpm run ([\w-]+)/g)].map(([, name = '']) => name);
    expect(commands.length).toBeGreaterThan(5);
    expect(commands.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('names tests and benchmarks that a command finds', () => {
    const runs = [...page.matchAll(/vitest run ([\w./-]+)/g)].map(([, file = '']) => file);
    const benches = [...page.matchAll(/npm run bench -- ([a-z]\w*)/g)].map(
      ([, name]) => `bench/${name}.bench.ts`,
    );
    expect(runs.length + benches.length).toBeGreaterThan(8);
    expect([...runs, ...benches].filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });
});
