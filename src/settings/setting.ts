/** A value in `config.toml` or in the options of the command line. */
export type Raw = string | number | boolean | readonly string[];

/** The syntax of one type of value. */
interface Kind<Given extends Raw> {
  readonly name: 'text' | 'count' | 'flag' | 'list';
  /** The type in messages, as in "it must be a whole number". */
  readonly shape: string;
  is(raw: Raw): raw is Given;
  /** Parses the text of a variable or an argument; null if it is not a value of this type. */
  parse(text: string): Given | null;
}

export const TEXT_SETTING: Kind<string> = {
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

/** A text separates the values by commas. */
export const LIST: Kind<readonly string[]> = {
  name: 'list',
  shape: 'a list of strings',
  is: (raw) => typeof raw === 'object',
  parse: (text) => (text === '' ? [] : text.split(',')),
};

/** The error of a setting that is unknown or has an invalid value; the message says what to do. */
export class SettingError extends Error {}

/** The context in which a value is read. */
export interface Reading {
  readonly key: string;
  /** The key without its table. */
  readonly name: string;
  /** The option that sets it; empty without an option. */
  readonly flag: string;
  /** The base of relative paths. */
  readonly base: string;
}

/** The declaration of a setting. */
interface Declaration<Given extends Raw, Value> {
  /** `table.name` in `config.toml`; a name without a table is not stored there. */
  readonly key: string;
  readonly variable?: string;
  /** The commands that have the setting: `quern serve`, or all. */
  readonly flag?: string;
  /** One sentence without its full stop, for help and documentation. */
  readonly text: string;
  /** The possible values, for people; without it, any value of the type. */
  readonly range?: string;
  /** The default, for people, when it is not a value. */
  readonly shownDefault?: string;
  /** Whether the value is never shown. */
  readonly isSecret?: true;
  /** Whether a server reads it whenever it is needed, and not only when it starts. */
  readonly isReadOften?: true;
  /** Whether an empty variable is a value, instead of no value. */
  readonly countsEmpty?: true;
  /** Whether an invalid value makes the whole `config.toml` unusable. */
  readonly isCheckedInFile?: true;
  /** Throws a SettingError for an invalid value. */
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
  /** The default; undefined without one. */
  readonly fallback: Raw | undefined;
  /** The default, for people; empty without one. */
  readonly shownDefault: string;
  readonly isSecret: boolean;
  readonly countsEmpty: boolean;
  readonly isCheckedInFile: boolean;
  readonly isReadOften: boolean;
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
    isReadOften: declaration.isReadOften === true,
    parse(text: string, place: string): Raw {
      const raw = kind.parse(text);
      if (raw === null) throw new SettingError(`${place} must be ${kind.shape}, not ${text}`);
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
