import { type Fields, fieldErrors, getString, readString, toFields } from '../../errors/fields.ts';
import { execErrors } from './errors.ts';
import type { RequestedExecution } from './execution-response.ts';

/** How deep lists and maps may be nested in parameters and arguments. */
const MAX_DEPTH = 100;
/** How many values they may have, those in lists and maps among them. */
const MAX_VALUES = 10_000;

/** The body of `POST /exec/script` (interface 4.3; catalog 11). Throws 400. */
export function readScriptBody(body: unknown): RequestedExecution {
  const fields = toFields(body);
  const path = getString(fields, 'path', 'Path');
  const settings = readSettings(fields);
  const projectVersion = readString(fields, 'project_version', 'Project version');
  return { target: { kind: 'script', path, projectVersion }, ...settings };
}

/** The body of `POST /exec/block` (interface 4.3; catalog 11). Throws 400. */
export function readBlockBody(body: unknown): RequestedExecution {
  const fields = toFields(body);
  const name = getString(fields, 'package', 'Package');
  const block = getString(fields, 'block_name', 'Block name');
  const args = readValues(fields, 'args', 'Args') as Readonly<Record<string, never>>;
  const settings = readSettings(fields);
  const projectVersion = readString(fields, 'project_version', 'Project version');
  return { target: { kind: 'block', package: name, block, args, projectVersion, disk: null }, ...settings };
}

/** The body of `POST /exec/sql` (interface 4.3, 7). Throws 400. */
export function readSqlBody(body: unknown): RequestedExecution {
  const fields = toFields(body);
  const text = getString(fields, 'sql', 'SQL query');
  if (!text.isWellFormed()) throw execErrors.notUnicode('SQL query');
  if (readObject(fields, 'connection', 'Connection') === undefined) throw fieldErrors.required('Connection');
  return { target: { kind: 'sql', source: { name: 'sql', text } }, ...readSettings(fields) };
}

/** What every body has: the connection first, as it stands first in the interface's rows. Throws 400. */
export function readSettings(
  fields: Fields,
): Pick<RequestedExecution, 'connection' | 'overrides' | 'params'> {
  const given = readObject(fields, 'connection', 'Connection');
  const connection = given && getString(given, 'name', 'Connection name');
  const overrides = given === undefined ? {} : readOverrides(given);
  const params = readValues(fields, 'params', 'Params') as RequestedExecution['params'];
  return { connection, overrides, params };
}

function readOverrides(connection: Fields): Readonly<Record<string, string>> {
  const overrides = readObject(connection, 'overrides', 'Overrides') ?? {};
  const given = Object.keys(overrides).map(
    (key) => [key, readString(overrides, key, `Override ${key}`)] as const,
  );
  return Object.fromEntries(given.filter((pair): pair is readonly [string, string] => pair[1] !== undefined));
}

function readObject(fields: Fields, key: string, label: string): Fields | undefined {
  const value = fields[key] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) throw execErrors.mustBeObject(label);
  return value as Fields;
}

/** Values of any kind by their names; none without the field. Throws 400. */
export function readValues(fields: Fields, key: string, label: string): Fields {
  const values = readObject(fields, key, label) ?? {};
  let level: readonly unknown[] = Object.values(values);
  let count = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    count += level.length;
    if (count > MAX_VALUES) throw execErrors.tooManyValues(label, MAX_VALUES);
    if (depth > MAX_DEPTH) throw execErrors.tooDeep(label, MAX_DEPTH);
    if (level.some((value) => typeof value === 'string' && !value.isWellFormed())) {
      throw execErrors.notUnicode(label);
    }
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return values;
}
