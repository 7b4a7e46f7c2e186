import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const src = path.resolve(import.meta.dirname, '../../../src');
const server = path.join(src, 'server');

function listFiles(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.ts'));
}

describe('a field of a body', () => {
  it('is read where it is declared, and nowhere else in the server', () => {
    const readers = /\b(?:read|get)(?:String|Strings|Flag|Switch|Count|Time)\([^,]+, '/;
    const found = listFiles(server).filter((name) =>
      readers.test(readFileSync(path.join(server, name), 'utf8')),
    );
    // Fields of a value: of a file, of a connection, of a change of grants, and of a day that a user has typed.
    expect(found.toSorted()).toEqual([
      'exec/bundle-files.ts',
      'exec/fields.ts',
      'manage/read-grant-changes.ts',
    ]);
  });

  it('is read by no other room than the server', () => {
    const readers =
      /\b(?:(?:read|get)(?:String|Strings|Flag|Switch|Count|Time)|(?:to|get)Fields)\b.* from '[^']*errors\/fields/;
    const found = listFiles(src).filter((name) => readers.test(readFileSync(path.join(src, name), 'utf8')));
    expect(found.filter((name) => !name.startsWith('server/'))).toEqual([]);
  });
});
