import { type TSchema, Type } from 'typebox';
import { type Fields, fieldErrors, getString, readString } from '../../errors/fields.ts';
import { isDecimal } from '../../text/decimal.ts';
import { defineFields, type Field } from '../fields/define-fields.ts';
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
export const requiredConnection = createConnection(ConnectionSchema);

/** Substitution parameters. */
export const params = createValues('Params', ParametersSchema);

/** Arguments of a block. */
export const args = createValues(
  'Args',
  Type.Record(Type.String(), Type.Unknown(), { description: 'Block arguments: any JSON values' }),
);

/** The query parameters of an execution. */
export const execQuery = defineFields({
  results: {
    schema: Type.Optional(
      Type.Unsafe<'all'>({
        type: 'string',
        enum: ['all'],
        description:
          'With `Prefer: respond-async`, stores the result of every statement as Arrow, readable while the execution runs',
      }),
    ),
    read(fields, key): 'all' | undefined {
      const results = readString(fields, key, 'Results');
      if (results !== undefined && results !== 'all') throw execErrors.notOneOf('Results', ['all']);
      return results;
    },
  },
  numbers: {
    schema: Type.Optional(
      Type.Unsafe<'number' | 'string'>({
        type: 'string',
        enum: ['number', 'string'],
        description: 'How JSON encodes numbers that a double cannot represent exactly. Defaults to `number`',
      }),
    ),
    read(fields, key): 'number' | 'string' {
      const numbers = readString(fields, key, 'Numbers') ?? 'number';
      if (numbers !== 'number' && numbers !== 'string') throw execErrors.notNumbers();
      return numbers;
    },
  },
});

function createConnection<Schema extends TSchema>(schema: Schema): Field<ConnectionReference, Schema> {
  return {
    schema,
    read(fields, key) {
      const given = readObject(fields, key, 'Connection');
      if (given !== undefined) {
        return { connection: getString(given, 'name', 'Connection name'), overrides: readOverrides(given) };
      }
      if (!Type.IsOptional(schema)) throw fieldErrors.required('Connection');
      return { connection: undefined, overrides: {} };
    },
  };
}

function readOverrides(given: Fields): Readonly<Record<string, string>> {
  const overrides = readObject(given, 'overrides', 'Overrides') ?? {};
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
