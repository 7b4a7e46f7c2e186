import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkNewConnection } from '../../../src/connections/body.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const server = path.join(root, 'src/server');

interface Schema {
  readonly properties?: object;
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

const document: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
} = JSON.parse(readFileSync(path.join(root, 'docs/openapi.json'), 'utf8'));

/** The fields in the document for the body of an operation; an optional body may be null. */
function listDescribed(operation: string): readonly string[] {
  const [method, target] = operation.split(' ') as [string, string];
  const body = document.paths[target]?.[method.toLowerCase()]?.requestBody;
  return listProperties(body?.content['application/json']?.schema ?? {});
}

function listProperties({ properties = {}, $ref, anyOf = [] }: Schema): readonly string[] {
  const named = $ref === undefined ? [] : listProperties(document.components.schemas[path.basename($ref)]!);
  return [...Object.keys(properties), ...named, ...anyOf.flatMap(listProperties)].toSorted();
}

/** The fields that the check of a body reads. */
function listRead(
  check: (body: unknown) => unknown,
  body: Readonly<Record<string, unknown>>,
): readonly string[] {
  const read = new Set<string>();
  const seen = new Proxy(body, {
    get(target, key) {
      read.add(String(key));
      return Reflect.get(target, key);
    },
  });
  check(seen);
  return [...read].toSorted();
}

describe('a field of a body', () => {
  it('is read where it is declared, and nowhere else in the server', () => {
    const readers = /\b(?:read|get)(?:String|Strings|Flag|Switch|Count|Time)\([^,]+, '/;
    const files = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const found = files.filter((name) => readers.test(readFileSync(path.join(server, name), 'utf8')));
    // Fields of a value: of a file, of a connection, and of a day that a user has typed.
    expect(found.toSorted()).toEqual(['exec/bundle-files.ts', 'exec/fields.ts']);
  });

  it.each<[string, (body: unknown) => unknown, Readonly<Record<string, unknown>>]>([
    [
      'POST /api/v1/manage/connections',
      (body) => checkNewConnection(body, undefined),
      { name: 'a', kind: 'duckdb', options: { file: '/a.duckdb' } },
    ],
  ])('of %s is described if it is read below the server', (operation, check, body) => {
    expect(listDescribed(operation)).toEqual(listRead(check, body));
  });
});
