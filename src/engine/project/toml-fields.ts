/** A value of a TOML document and its path of keys; a missing value is undefined. */
export interface TomlField {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** An error or warning about the value at a path. */
export interface FieldProblem {
  readonly path: readonly string[];
  readonly message: string;
}

/** Reads the fields of a TOML document; a value of the wrong type is recorded as an error and counts as missing. */
export interface TomlFields {
  readonly errors: readonly FieldProblem[];
  /** Warnings; the document can still be used. */
  readonly warnings: readonly FieldProblem[];
  refuse(path: readonly string[], message: string): void;
  warn(path: readonly string[], message: string): void;
  missing(field: TomlField): void;
  text(field: TomlField): string | undefined;
  /** As `text`, but a missing value is an error. */
  neededText(field: TomlField): string | undefined;
  /** An integer, 0 or greater. */
  count(field: TomlField): number | undefined;
  flag(field: TomlField): boolean | undefined;
  texts(field: TomlField): readonly string[] | undefined;
  /** The fields of a table; empty if the table is missing. */
  table(field: TomlField): readonly TomlField[];
  isTable(field: TomlField): boolean;
}

/** The field of a table, or one without a value. */
export function getField({ path, value }: TomlField, key: string): TomlField {
  return { path: [...path, key], value: isTomlTable(value) ? value[key] : undefined };
}

/** The fields of a table; empty for any other value. */
export function listFields(field: TomlField): readonly TomlField[] {
  return isTomlTable(field.value) ? Object.keys(field.value).map((key) => getField(field, key)) : [];
}

/** Creates a reader that has no errors yet. */
export function createTomlReader(): TomlFields {
  const errors: FieldProblem[] = [];
  const warnings: FieldProblem[] = [];
  const refuse = (path: readonly string[], message: string) => void errors.push({ path, message });

  function refuseType({ path, value }: TomlField, expectedType: string): void {
    refuse(path, `\`${printKey(path)}\` must be ${expectedType}, not ${describe(value)}`);
  }

  function missing({ path }: TomlField): void {
    refuse(path, `\`[${printKey(path.slice(0, -1))}]\` needs a \`${path.at(-1)}\``);
  }

  function text(field: TomlField): string | undefined {
    return of(field, 'a string', (value) => typeof value === 'string');
  }

  function of<Value>(
    field: TomlField,
    expectedType: string,
    is: (value: unknown) => value is Value,
  ): Value | undefined {
    if (is(field.value)) return field.value;
    if (field.value !== undefined) refuseType(field, expectedType);
    return undefined;
  }

  function isTable(field: TomlField): boolean {
    const table = isTomlTable(field.value);
    if (!table && field.value !== undefined) refuseType(field, 'a table');
    return table;
  }

  return {
    errors,
    warnings,
    refuse,
    warn: (path, message) => void warnings.push({ path, message }),
    missing,
    text,
    neededText(field) {
      if (field.value === undefined) missing(field);
      return text(field);
    },
    table: (field) => (isTable(field) ? listFields(field) : []),
    count: (field) => of(field, 'a whole number', isCount),
    flag: (field) => of(field, 'true or false', (value) => typeof value === 'boolean'),
    texts: (field) => of(field, 'a list of strings', isTexts),
    isTable,
  };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** The parser creates tables without a prototype; its dates are objects, too. */
function isTomlTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null;
}

function printKey(path: readonly string[]): string {
  return path.map((name) => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name))).join('.');
}

function describe(value: unknown): string {
  if (isTomlTable(value)) return 'a table';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Date) return 'a date or time';
  const names: Readonly<Record<string, string>> = { string: 'a string', boolean: 'true or false' };
  return names[typeof value] ?? 'a number';
}
