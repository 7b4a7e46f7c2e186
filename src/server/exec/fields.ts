import { type TSchema, Type } from 'typebox';
import { type Fields, fieldErrors, getString, readString } from '../../errors/fields.ts';
import { isDecimal } from '../../text/decimal.ts';
import type { ServedTarget } from '../../workspace/api/target.ts';
import type { WorkRequest } from '../../workspace/api/workspace-api.ts';
import { defineFields, type Field } from '../fields/define-fields.ts';
import { choice, requiredText } from '../fields/kinds.ts';
import { projectVersion } from '../fields/project-version.ts';
import { execErrors } from './errors.ts';

/** Maximum nesting depth of lists and maps in parameters and arguments. */
const MAX_DEPTH = 100;
/** Maximum values in them, including those in lists and maps. */
const MAX_VALUES = 10_000;

const ParametersSchema = Type.Record(Type.String(), Type.Unknown(), {
  propertyNames: { pattern: '^[$]{0,2}[A-Za-z_][A-Za-z0-9_]*$' },
  description:
    'Values by parameter name, with or without `$`: any JSON values; a map is a value of expressions only',
});

const ConnectionSchema = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    overrides: Type.Optional(
      Type.Record(Type.String(), Type.Unsafe<string | null>({ type: ['string', 'null'] }), {
        description: 'Connection parameters to override, such as `database` and `schema`',
      }),
    ),
  },
  { title: 'ConnectionReference' },
);

/** A connection name with overrides (docs/reference/connections.md#what-a-connection-allows). */
interface ConnectionReference {
  readonly connection: string | undefined;
  readonly overrides: Readonly<Record<string, string>>;
}

/** The connection of an execution. */
export const connection = createConnection(Type.Optional(ConnectionSchema));
const requiredConnection = createConnection(ConnectionSchema);

/** Substitution parameters. */
export const params = createValues('Params', ParametersSchema);

/** Arguments of a block. */
export const args = createValues(
  'Args',
  Type.Record(Type.String(), Type.Unknown(), { description: 'Block arguments: any JSON values' }),
);

type SqlTarget = Extract<ServedTarget, { kind: 'sql' }>;

const BindSchema = Type.Union([Type.Array(Type.Unknown()), Type.Record(Type.String(), Type.Unknown())], {
  description:
    'Values of the placeholders of one statement, which the database binds: an array for `$1`, `$2`, … or `?`, or an object by name. Each is null, a boolean, a number, a string, an array of these, or an object with `type` and `value`',
});

/** Values of placeholders (docs/reference/exec.md#bind). */
const bind = {
  schema: Type.Optional(BindSchema),
  read(fields, key) {
    const values = fields[key] ?? undefined;
    if (values === undefined) return undefined;
    if (typeof values !== 'object' || isDecimal(values)) throw execErrors.mustBeObject('Bind');
    checkValues(Object.values(values), 'Bind');
    return values as SqlTarget['bind'];
  },
} satisfies Field<SqlTarget['bind']>;

/** The query parameters of an execution. */
export const execQuery = defineFields({
  results: choice<'all'>(
    'Results',
    ['all'],
    'With `Prefer: respond-async`, stores the result of every statement as Arrow, readable while the execution runs',
  ),
  numbers: choice<'number' | 'string'>(
    'Numbers',
    ['number', 'string'],
    'How JSON encodes numbers that a double cannot represent exactly. Defaults to `number`',
    execErrors.notNumbers,
  ),
});

function createConnection<Schema extends TSchema>(schema: Schema): Field<ConnectionReference, Schema> {
  return {
    schema,
    read(fields, key) {
      const reference = readObject(fields, key, 'Connection');
      if (reference !== undefined) {
        const name = getString(reference, 'name', 'Connection name');
        const overrides = readObject(reference, 'overrides', 'Overrides');
        return { connection: name, overrides: overrides === undefined ? {} : readOverrides(overrides) };
      }
      if (!Type.IsOptional(schema)) throw fieldErrors.required('Connection');
      return { connection: undefined, overrides: {} };
    },
  };
}

function readOverrides(overrides: Fields): Readonly<Record<string, string>> {
  const entries = Object.keys(overrides).map(
    (key) => [key, readString(overrides, key, `Override ${key}`)] as const,
  );
  return Object.fromEntries(
    entries.filter((pair): pair is readonly [string, string] => pair[1] !== undefined),
  );
}

function readObject(fields: Fields, key: string, label: string): Fields | undefined {
  const value = fields[key] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || Array.isArray(value) || isDecimal(value)) {
    throw execErrors.mustBeObject(label);
  }
  return value as Fields;
}

/** Values of any type by name; empty without the field. */
function createValues<Schema extends TSchema>(
  label: string,
  schema: Schema,
): Field<Readonly<Record<string, never>>, ReturnType<typeof Type.Optional<Schema>>> {
  return {
    schema: Type.Optional(schema),
    read(fields, key) {
      const values = readObject(fields, key, label);
      if (values === undefined) return {};
      checkValues(Object.values(values), label);
      return values as Readonly<Record<string, never>>;
    },
  };
}

function checkValues(values: readonly unknown[], label: string): void {
  let count = 0;
  for (let [level, depth] = [values, 0]; level.length > 0; depth += 1) {
    count += level.length;
    if (count > MAX_VALUES) throw execErrors.tooManyValues(label, MAX_VALUES);
    if (depth > MAX_DEPTH) throw execErrors.tooDeep(label, MAX_DEPTH);
    if (level.some((value) => typeof value === 'string' && !value.isWellFormed())) {
      throw execErrors.notUnicode(label);
    }
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null && !isDecimal(value) ? Object.values(value) : [],
    );
  }
}

/** SQL: a string of well-formed Unicode. */
const sql = {
  schema: Type.String({ minLength: 1 }),
  read(fields, key) {
    const text = getString(fields, key, 'SQL query');
    if (!text.isWellFormed()) throw execErrors.notUnicode('SQL query');
    return text;
  },
} satisfies Field<string>;

const scripted = { connection, params, project_version: projectVersion };

/** The body of `POST /exec/script` (docs/reference/exec.md#bodies). */
export const scriptBody = defineFields({
  path: requiredText('Path', Type.String({ minLength: 1, examples: ['@Shared/reports/monthly'] })),
  ...scripted,
});

/** The body of `POST /exec/block` (docs/reference/exec.md#bodies). */
export const blockBody = defineFields({
  package: requiredText(
    'Package',
    Type.String({ minLength: 1, description: 'The path of a folder', examples: ['@Shared/reports'] }),
  ),
  block_name: requiredText('Block name', Type.String({ minLength: 1 })),
  args,
  ...scripted,
});

/** The body of `POST /exec/sql` (docs/reference/exec.md#bodies). */
export const sqlBody = defineFields({ sql, connection: requiredConnection, params, bind });

/** Throws 400. */
export function readScriptBody(body: unknown): WorkRequest<ServedTarget> {
  const fields = scriptBody.read(body);
  const { path, projectVersion: version } = fields;
  return {
    target: { kind: 'script', path, projectVersion: version },
    ...fields.connection,
    params: fields.params,
  };
}

/** Throws 400. */
export function readBlockBody(body: unknown): WorkRequest<ServedTarget> {
  const {
    package: name,
    blockName: block,
    args: values,
    projectVersion: version,
    ...fields
  } = blockBody.read(body);
  return {
    target: { kind: 'block', package: name, block, args: values, projectVersion: version, disk: null },
    ...fields.connection,
    params: fields.params,
  };
}

/** Throws 400. */
export function readSqlBody(body: unknown): WorkRequest<ServedTarget> {
  const fields = sqlBody.read(body);
  const source = { name: 'sql', text: fields.sql };
  return { target: { kind: 'sql', source, bind: fields.bind }, ...fields.connection, params: fields.params };
}
