import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

type Texts = readonly (readonly [file: string, text: string])[];

const TYPE = /^export (?:abstract )?(?:interface|type|class|enum) (\w+)\b/gm;
const VALUE = /^export (?:async )?(?:function\*?|const|let) (\w+)\b/gm;

/** Folders whose files implement the same functions: the commands, and the drivers of databases. */
const PARALLEL = /^src\/(?:cli\/commands|engine\/connection\/(?!contract\/)\w+)\//;

/** The files that export each name. */
function listNames(texts: Texts, pattern: RegExp): ReadonlyMap<string, string[]> {
  const names = new Map<string, string[]>();
  for (const [file, text] of texts) {
    for (const [, name] of text.matchAll(pattern)) names.set(name!, [...(names.get(name!) ?? []), file]);
  }
  return names;
}

function findShared(names: ReadonlyMap<string, string[]>): readonly string[] {
  return [...names].flatMap(([name, files]) => (files.length > 1 ? [name] : [])).sort();
}

const texts = ['src', 'web'].flatMap((top) =>
  readdirSync(path.join(root, top), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => `${top}/${file.replaceAll(path.sep, '/')}`)
    .map((file) => [file, readFileSync(path.join(root, file), 'utf8')] as const),
);

describe('the names of exported types', () => {
  it('stand for one type in src and web', () => {
    expect(listNames(texts, TYPE).size).toBeGreaterThan(900);
    expect(findShared(listNames(texts, TYPE))).toEqual([]);
  });

  it('are compared between all files', () => {
    const planted = ['a', 'b'].map((file) => [file, 'export interface Planted {}'] as const);
    expect(findShared(listNames(planted, TYPE))).toEqual(['Planted']);
    expect(findShared(listNames(planted.slice(1), TYPE))).toEqual([]);
  });
});

describe('the names of exported functions and constants', () => {
  it('stand for one thing in src', () => {
    const names = listNames(
      texts.filter(([file]) => file.startsWith('src/') && !PARALLEL.test(file)),
      VALUE,
    );
    expect(names.size).toBeGreaterThan(1_500);
    expect(findShared(names)).toEqual([]);
  });

  it('are compared between all files', () => {
    const planted = ['async function', 'const'].map((kind) => [kind, `export ${kind} planted`] as const);
    expect(findShared(listNames(planted, VALUE))).toEqual(['planted']);
  });
});
