import fc from 'fast-check';
import type { Sending } from '../../support/http.ts';

/** The part of JSON Schema that the served document uses. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
  readonly responses: Readonly<Record<string, unknown>>;
}

/** The served document. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** A route of the document. */
export interface Route {
  readonly method: string;
  /** With its parameters as `{name}`. */
  readonly path: string;
  readonly operation: Operation;
}

/** The routes below `/api/v1`, with all references resolved. */
export function listRoutes(document: OpenApi): Route[] {
  const { paths } = resolve(document, document) as OpenApi;
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/v1/'))
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
      })),
    );
}

/** A recursive schema ends in any value. */
function resolve(value: unknown, document: OpenApi, within: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((each) => resolve(each, document, within));
  if (typeof value !== 'object' || value === null) return value;
  if (!('$ref' in value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, resolve(each, document, within)]),
    );
  }
  const reference = String(value.$ref);
  if (within.includes(reference)) return {};
  const steps = reference.split('/').slice(1);
  const found = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document);
  return resolve(found, document, [...within, reference]);
}

/** A request for a route: mostly as in the document, and mostly with one error. */
export interface Attempt extends Sending {
  readonly route: Route;
  readonly target: string;
}

const KNOWN = [
  ...['@Shared', '@Shared/box', '@Shared/box/script', '@Personal', '@Project Hub'],
  ...['ada', 'team', 'everyone', 'user:ada', 'group:team', 'duckdb', 'connection:duckdb'],
  ...['VIEW', 'EDIT', 'MANAGE', 'USE', 'EDITOR', 'postgresql', '2999-01-31', 'a@example.org'],
];
const MEAN = [
  '',
  '.',
  '..',
  '/',
  '%',
  '\0',
  '\n',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  "'; --",
  '😀',
  '\ud83d',
];

const known = fc.constantFrom(...KNOWN);
const text = fc.oneof(
  { weight: 6, arbitrary: known },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...MEAN, 'x'.repeat(256), 'x'.repeat(5_000), '@Shared/'.repeat(300)),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
);

const deep = fc.integer({ min: 100, max: 2_000 }).map((depth) => {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { x: value };
  return value;
});
const anything: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 2, arbitrary: fc.constantFrom(null, [], {}, 0, -1, 1e308, true, '', [[]], [{}], { length: 1 }) },
  { weight: 1, arbitrary: deep },
);

/** A value for a schema; a valid one, or about one invalid one in ten. */
function toValue(schema: Schema, isRight: boolean): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((each) => toValue(each, isRight)));
  const inner = (each: Schema) => {
    const right = toValue(each, isRight);
    return isRight ? right : fc.oneof({ weight: 9, arbitrary: right }, { weight: 1, arbitrary: anything });
  };
  if (schema.properties !== undefined) {
    const fields = Object.entries(schema.properties).map(([name, field]) => [name, inner(field)]);
    return fc.record(Object.fromEntries(fields), { requiredKeys: [...(schema.required ?? [])] as never[] });
  }
  const ofType: Readonly<Record<string, () => fc.Arbitrary<unknown>>> = {
    string: () => (isRight ? known : text),
    boolean: () => fc.boolean(),
    integer: () => fc.integer(),
    number: () => fc.double(),
    null: () => fc.constant(null),
    array: () => fc.array(inner(schema.items ?? {}), { maxLength: 4 }),
    object: () => (isRight ? fc.constant({}) : fc.dictionary(text, text, { maxKeys: 4 })),
  };
  return fc.oneof(...[schema.type ?? 'string'].flat().map((type) => ofType[type]!()));
}

const keys = fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'id', 'x', '');
/**
 * Changes of a body's text that values cannot express: a repeated key, a key of an object's prototype, and
 * invalid JSON.
 */
const spoilt: readonly fc.Arbitrary<(json: string) => string>[] = [
  fc.tuple(keys, anything).map(([key, value]) => (json: string) => {
    const field = `${JSON.stringify(key)}:${JSON.stringify(value)}`;
    return json.startsWith('{') ? json.replace(/^\{/, json === '{}' ? `{${field}` : `{${field},`) : json;
  }),
  fc.constant((json) => json.replace(/^\{("[^"]*":)/, '{$1null,$1')),
  fc.nat(200).map((length) => (json: string) => json.slice(0, length)),
  fc.constant((json) => `[${json}]`),
  fc.constant((json) => `${json}${json}`),
  fc.constant(() => ''),
];

function bodyOf({ requestBody }: Operation, isRight: boolean): fc.Arbitrary<string | undefined> {
  if (requestBody === undefined) {
    const json = anything.map((value) => JSON.stringify(value));
    return isRight ? fc.constant(undefined) : fc.option(json, { nil: undefined });
  }
  const { schema } = requestBody.content['application/json'];
  const json = toValue(schema, isRight).map((value) => JSON.stringify(value));
  if (isRight) return json;
  const whole = { weight: 4, arbitrary: fc.constant((unspoilt: string) => unspoilt) };
  const change = fc.oneof(whole, ...spoilt.map((arbitrary) => ({ weight: 1, arbitrary })));
  return fc.tuple(json, change).map(([unspoilt, spoil]) => spoil(unspoilt));
}

const visible = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code));
const printable = fc.string({ unit: visible, maxLength: 30 });
const matching = fc.constantFrom('*', '"1"', '1', '"2", "1"');
const rightHeaders = fc.record({ 'if-match': matching }, { requiredKeys: [] });
const oddHeaders = fc.record(
  {
    'if-match': fc.oneof(matching, fc.constantFrom('W/"1"', ''), printable),
    'content-type': fc.oneof(
      fc.constantFrom('text/plain', 'application/json; charset=latin1', '*/*'),
      printable,
    ),
    accept: fc.oneof(fc.constantFrom('*/*', 'text/html', 'application/json;q=0.5'), printable),
    'content-encoding': fc.constantFrom('gzip', 'identity'),
    'x-forwarded-for': printable,
    prefer: printable,
    cookie: printable,
  },
  { requiredKeys: [] },
);

/** A part of a URL, encoded correctly or incorrectly. */
const encoded = (arbitrary: fc.Arbitrary<string>) =>
  arbitrary.map((value) => value.toWellFormed().split('/').map(encodeURIComponent).join('/'));
const oddPart = fc.oneof(
  fc.constantFrom('%', '%zz', '%C3', '%2F%2F', '//', '..', '%00'),
  printable.map((value) => value.replaceAll(' ', '+')),
);

function targetOf({ path, operation }: Route, isRight: boolean): fc.Arbitrary<string> {
  const part = isRight
    ? encoded(known)
    : fc.oneof({ weight: 4, arbitrary: encoded(text) }, { weight: 1, arbitrary: oddPart });
  const parameters = operation.parameters ?? [];
  const namesIn = (place: string) => parameters.filter((each) => each.in === place).map(({ name }) => name);
  const names = namesIn('path');
  const queries = isRight ? namesIn('query') : [...namesIn('query'), ...namesIn('query'), 'x', '__proto__'];
  const query = fc
    .subarray(queries)
    .chain((chosen) =>
      fc
        .tuple(...chosen.map((name) => part.map((value) => `${name}=${value}`)))
        .map((pairs) => pairs.join('&')),
    );
  return fc.tuple(fc.tuple(...names.map(() => part)), query).map(([values, search]) => {
    const filled = names.reduce(
      (target, name, index) => target.replace(`{${name}}`, () => values[index]!),
      path,
    );
    return search === '' ? filled : `${filled}?${search}`;
  });
}

/** Requests of all kinds for the routes of a document: about half are valid according to the document. */
export function attempts(routes: readonly Route[]): fc.Arbitrary<Attempt> {
  return fc.tuple(fc.constantFrom(...routes), fc.boolean()).chain(([route, isRight]) =>
    fc.record({
      route: fc.constant(route),
      target: targetOf(route, isRight),
      headers: (isRight ? rightHeaders : oddHeaders) as fc.Arbitrary<Record<string, string>>,
      body: bodyOf(route.operation, isRight),
    }),
  );
}
