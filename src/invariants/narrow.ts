/** Converts a thrown value into an Error. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** The stack trace of an error, for a log. */
export function printTrace(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.stack}` : String(thrown);
}

/** The code of a system error, such as `ENOENT`; undefined for other errors. */
export function codeOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a name is a key of a table. */
export function isKeyOf<Table extends object>(table: Table, name: PropertyKey): name is keyof Table {
  return Object.hasOwn(table, name);
}

/** The keys of a table, with the type of its keys. The table must not have other keys. */
export function listKeys<Table extends object>(table: Table): readonly (keyof Table & string)[] {
  return Object.keys(table) as (keyof Table & string)[];
}

/** Creates a table with a value for each key. */
export function createTable<Key extends string, Value>(
  keys: readonly Key[],
  create: (key: Key, at: number) => Value,
): Record<Key, Value> {
  return Object.fromEntries(keys.map((key, at) => [key, create(key, at)])) as Record<Key, Value>;
}

/** Picks the function for the kind of a node. */
export function pickByKind<Node extends { readonly kind: string }, Rest extends readonly unknown[], Result>(
  table: {
    readonly [Kind in Node['kind']]: (node: Extract<Node, { readonly kind: Kind }>, ...rest: Rest) => Result;
  },
  { kind }: Node,
): (node: Node, ...rest: Rest) => Result {
  return table[kind as Node['kind']] as (node: Node, ...rest: Rest) => Result;
}
