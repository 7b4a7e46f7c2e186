import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

/** The files that export a type of each name. */
function listTypes(texts: readonly (readonly [file: string, text: string])[]): ReadonlyMap<string, string[]> {
  const types = new Map<string, string[]>();
  for (const [file, text] of texts) {
    for (const match of text.matchAll(/^export (?:abstract )?(?:interface|type|class|enum) (\w+)\b/gm)) {
      types.set(match[1]!, [...(types.get(match[1]!) ?? []), file]);
    }
  }
  return types;
}

function findShared(types: ReadonlyMap<string, string[]>): readonly string[] {
  return [...types].flatMap(([name, files]) => (files.length > 1 ? [name] : [])).sort();
}

describe('the names of exported types', () => {
  const texts = ['src', 'web'].flatMap((top) =>
    readdirSync(path.join(root, top), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => [`${top}/${file}`, readFileSync(path.join(root, top, file), 'utf8')] as const),
  );

  it('stand for one type in src and web', () => {
    expect(listTypes(texts).size).toBeGreaterThan(900);
    expect(findShared(listTypes(texts))).toEqual([]);
  });

  it('are compared between all files', () => {
    const planted = ['a', 'b'].map((file) => [file, 'export interface Planted {}'] as const);
    expect(findShared(listTypes(planted))).toEqual(['Planted']);
    expect(findShared(listTypes(planted.slice(1)))).toEqual([]);
  });
});
