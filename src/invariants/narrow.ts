/** What was thrown, as an Error. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** Where an error comes from, for a log. */
export function printTrace(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.stack}` : String(thrown);
}

/** The code of an error of the system, such as `ENOENT`; undefined for any other. */
export function codeOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

/** Whether a value is an object with keys, as JSON has it, and no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a name is a key of a table. */
export function isKeyOf<Table extends object>(table: Table, name: PropertyKey): name is keyof Table {
  return Object.hasOwn(table, name);
}

/** The keys of a table that has no others than its type says. */
export function listKeys<Table extends object>(table: Table): readonly (keyof Table & string)[] {
  return Object.keys(table) as (keyof Table & string)[];
}

/** A table with a value for each key. */
export function createTable<Key extends string, Value>(
  keys: readonly Key[],
  create: (key: Key, at: number) => Value,
): Record<Key, Value> {
  return Object.fromEntries(keys.map((key, at) => [key, create(key, at)])) as Record<Key, Value>;
}

/** The function that a table has for the kind of a node, which takes nodes of just that kind. */
export function pickByKind<Node extends { readonly kind: string }, Rest extends readonly unknown[], Result>(
  table: {
    readonly [Kind in Node['kind']]: (node: Extract<Node, { readonly kind: Kind }>, ...rest: Rest) => Result;
  },
  { kind }: Node,
): (node: Node, ...rest: Rest) => Result {
  return table[kind as Node['kind']] as (node: Node, ...rest: Rest) => Result;
}
