import type { ConnectionKind } from './connection.ts';

/** One option of a kind of connection, as `quern connection show` prints it. */
export interface OptionDefinition {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** A value that is stored encrypted and never shown. */
  readonly isSecret: boolean;
  /** The default value, or a description of it; null without a default. */
  readonly default: string | null;
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

/** A kind of connection: a database, or a semantic model on top of one. */
export type KindName = ConnectionKind | 'semantic';

/** The options of a kind of connection, without loading its driver. */
export interface KindDefinition {
  readonly kind: KindName;
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

type Given = Partial<Omit<OptionDefinition, 'name' | 'description'>>;

/** An optional option that accepts any text, except as `given` specifies. */
export function defineOption(name: string, description: string, given: Given = {}): OptionDefinition {
  const plain = { isRequired: false, isSecret: false, default: null, check: () => null, isPath: () => false };
  return { name, description, ...plain, ...given };
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
