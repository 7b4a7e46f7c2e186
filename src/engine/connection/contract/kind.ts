import { present } from '../../../invariants/must.ts';
import { type ConnectionSpec, DATABASE_KINDS, DatabaseError } from './connection.ts';

/** Values of options by name. */
export type Options = Readonly<Record<string, string>>;

/** One option of a kind of connection, as `quern connection show` prints it. */
export interface OptionDefinition {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** A value that is stored encrypted and never shown. */
  readonly isSecret: boolean;
  /** Whether a value can have several lines. */
  readonly isMultiline: boolean;
  /** The default, for people; null without one. */
  readonly shownDefault: string | null;
  /** The default, from the options before it; undefined without one, or for one that the database chooses. */
  findDefault(options: Options): string | undefined;
  /** Returns the end of an error message that starts with the option; null for a valid value. */
  check(value: string): string | null;
  /** Whether a value is a path; a relative path starts in the caller's folder and is stored as an absolute one. */
  isPath(value: string): boolean;
}

/** A file that a connection opens: a database with the files next to it, or a file that is read. */
export interface ConnectionFile {
  readonly file: string;
  readonly isDatabase: boolean;
}

/** The kinds of connections: a database, or a semantic model on top of one. */
export const KIND_NAMES = [...DATABASE_KINDS, 'semantic'] as const;

export type KindName = (typeof KIND_NAMES)[number];

/** The options of a kind of connection, without loading its driver. */
export interface KindDefinition {
  readonly kind: KindName;
  /** Starts with the name of the product, for a database. */
  readonly title: string;
  readonly options: readonly OptionDefinition[];
  /**
   * Options that a request may override, unless the connection's settings differ
   * (docs/reference/connections.md#what-a-connection-allows).
   */
  readonly overrides: readonly string[];
  /** Maximum open sessions unless the connection sets a limit; null: no limit. */
  readonly maxSessions: number | null;
}

type OptionSettings = Partial<Omit<OptionDefinition, 'name' | 'description'>> & { readonly default?: string };

/** An optional option that accepts any text, except as `settings` specifies. */
export function defineOption(
  name: string,
  description: string,
  { default: value, ...settings }: OptionSettings = {},
): OptionDefinition {
  const plain = {
    isRequired: false,
    isSecret: false,
    isMultiline: false,
    check: () => null,
    isPath: () => false,
  };
  const defaults = { shownDefault: value ?? null, findDefault: () => value };
  return { name, description, ...plain, ...defaults, ...settings };
}

/**
 * The options of a connection, with the defaults of its kind. Throws a DatabaseError for an option or an override that
 * the kind does not have, and without a required option.
 */
export function resolveOptions(
  kind: KindDefinition,
  { options, overrides }: Pick<ConnectionSpec, 'options' | 'overrides'>,
): Options {
  const [product] = kind.title.split(/\W/);
  const other = Object.keys(options).find((name) => !kind.options.some((option) => option.name === name));
  if (other !== undefined) {
    throw new DatabaseError('unreachable', `A ${product} connection has no option "${other}".`);
  }
  const override = Object.keys(overrides).find((name) => !kind.overrides.includes(name));
  if (override !== undefined) throw new DatabaseError('sql', `${product} has no override "${override}".`);
  const optionValues: Record<string, string> = {};
  for (const { name, isRequired, findDefault } of kind.options) {
    const value = options[name] ?? findDefault(optionValues);
    if (isRequired && !value) {
      throw new DatabaseError('unreachable', `A ${product} connection needs the option "${name}".`);
    }
    if (value !== undefined) optionValues[name] = value;
  }
  return optionValues;
}

/** The value of an option that is required, or has a default. */
export function getOption(options: Options, name: string): string {
  return present(options[name]);
}

/** A `check` for a whole number within bounds. */
export function isWhole(min: number, max: number): OptionDefinition['check'] {
  return (value) => {
    const isInside = /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max;
    return isInside ? null : `must be a whole number from ${min} to ${max}`;
  };
}

/** A `check` for one of several words. */
export function isOneOf(...words: readonly string[]): OptionDefinition['check'] {
  return (value) => (words.includes(value) ? null : `must be one of ${words.join(', ')}`);
}
