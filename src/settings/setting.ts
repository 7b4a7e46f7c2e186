/** A value as `config.toml` and the options of the command line give it. */
export type Raw = string | number | boolean | readonly string[];

/** How values of one kind are written. */
export interface Kind<Given extends Raw> {
  readonly name: 'text' | 'count' | 'flag' | 'list';
  /** As in "it must be a whole number". */
  readonly shape: string;
  is(raw: Raw): raw is Given;
  /** Parses the text of a variable or an argument; null if it is not a value of this kind. */
  parse(text: string): Given | null;
}

export const TEXT: Kind<string> = {
  name: 'text',
  shape: 'a string',
  is: (raw) => typeof raw === 'string',
  parse: (text) => text,
};

export const COUNT: Kind<number> = {
  name: 'count',
  shape: 'a whole number',
  is: (raw) => typeof raw === 'number',
  parse: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : null),
};

export const FLAG: Kind<boolean> = {
  name: 'flag',
  shape: 'true or false',
  is: (raw) => typeof raw === 'boolean',
  parse: (text) => (text === 'true' || text === 'false' ? text === 'true' : null),
};

/** With commas in a text. */
export const LIST: Kind<readonly string[]> = {
  name: 'list',
  shape: 'a list of strings',
  is: (raw) => typeof raw === 'object',
  parse: (text) => (text === '' ? [] : text.split(',')),
};

/** A setting that has a wrong value, or that does not exist; the message says what to do. */
export class SettingError extends Error {}

/** The context in which a value is read. */
export interface Reading {
  readonly key: string;
  /** The key without its table. */
  readonly name: string;
  /** The option that sets it; empty without an option. */
  readonly flag: string;
  /** The folder in which relative paths begin. */
  readonly base: string;
}

/** The declaration of a setting. */
interface Declaration<Given extends Raw, Value> {
  /** `table.name` in `config.toml`; a name without a table is not stored there. */
  readonly key: string;
  readonly variable?: string;
  /** Of `quern serve`, or of every command. */
  readonly flag?: string;
  /** One sentence without its full stop, for help and documentation. */
  readonly text: string;
  /** What values there are, for people; left out: any of the kind. */
  readonly range?: string;
  /** What people read of the default, where it is not a value. */
  readonly shownDefault?: string;
  /** Whether the value is never shown. */
  readonly isSecret?: true;
  /** Whether an empty variable is a value, and not as none. */
  readonly countsEmpty?: true;
  /** Whether a wrong value in `config.toml` makes all of that file unusable. */
  readonly isCheckedInFile?: true;
  /** Throws a SettingError for a value that cannot be. */
  read(raw: Given, reading: Reading): Value;
}

/** One setting. */
export interface Setting<Value = unknown> {
  readonly key: string;
  readonly variable: string | undefined;
  readonly flag: string | undefined;
  readonly kind: Kind<Raw>['name'];
  readonly text: string;
  readonly range: string;
  /** What counts where nothing is given; undefined for none. */
  readonly fallback: Raw | undefined;
  /** As people read it; empty for none. */
  readonly shownDefault: string;
  readonly isSecret: boolean;
  readonly countsEmpty: boolean;
  readonly isCheckedInFile: boolean;
  /** Parses a text; `place` names it in the error. Throws a SettingError. */
  parse(text: string, place: string): Raw;
  /** The value, or the default if `raw` is undefined. Throws a SettingError. */
  read(raw: Raw | undefined, base: string): Value;
}

/** A setting that always has a value. */
export function createSetting<Given extends Raw, Value>(
  kind: Kind<Given>,
  fallback: Given,
  declaration: Declaration<Given, Value>,
): Setting<Value> {
  const { shownDefault = String(fallback) } = declaration;
  const read = createReader(kind, declaration);
  return {
    ...describe(kind, declaration),
    fallback,
    shownDefault,
    read: (raw = fallback, base) => read(raw, base),
  };
}

/** A setting whose value is optional. */
export function createOptionalSetting<Given extends Raw, Value>(
  kind: Kind<Given>,
  declaration: Declaration<Given, Value>,
): Setting<Value | undefined> {
  const { shownDefault = '' } = declaration;
  const read = createReader(kind, declaration);
  return {
    ...describe(kind, declaration),
    fallback: undefined,
    shownDefault,
    read: (raw, base) => (raw === undefined ? undefined : read(raw, base)),
  };
}

function describe<Given extends Raw, Value>(kind: Kind<Given>, declaration: Declaration<Given, Value>) {
  const { key, variable, flag, text, range = kind.shape } = declaration;
  return {
    key,
    variable,
    flag,
    kind: kind.name,
    text,
    range,
    isSecret: declaration.isSecret === true,
    countsEmpty: declaration.countsEmpty === true,
    isCheckedInFile: declaration.isCheckedInFile === true,
    parse(given: string, place: string): Raw {
      const raw = kind.parse(given);
      if (raw === null) throw new SettingError(`${place} must be ${kind.shape}, not ${given}`);
      return raw;
    },
  };
}

function createReader<Given extends Raw, Value>(kind: Kind<Given>, declaration: Declaration<Given, Value>) {
  const { key } = declaration;
  const name = nameOf(declaration);
  const flag = flagOf(declaration);
  return (raw: Raw, base: string): Value => {
    if (kind.is(raw)) return declaration.read(raw, { key, name, flag, base });
    throw new SettingError(`${name} must be ${kind.shape}`);
  };
}

/** The name of a setting within its table. */
export function nameOf({ key }: { readonly key: string }): string {
  return key.slice(key.indexOf('.') + 1);
}

/** The table of `config.toml` with this setting; null if it is not in a table. */
export function tableOf({ key }: { readonly key: string }): string | null {
  const [table = '', name] = key.split('.');
  return name === undefined ? null : table;
}

/** The option that sets a setting, without the name of its value. */
export function flagOf({ flag = '' }: { readonly flag?: string | undefined }): string {
  return flag.replace(/ .*/, '');
}
