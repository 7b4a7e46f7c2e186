import type { ConnectionKind } from './connection.ts';

/** One option of a kind of connection, as `quern connection show` prints it. */
export interface OptionDefinition {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** A value that is kept encrypted and never shown. */
  readonly isSecret: boolean;
  /** What holds when it is left out, null for nothing. */
  readonly default: string | null;
  /** Says what is wrong with a value, as the end of a sentence that begins with the option; null for nothing. */
  check(value: string): string | null;
  /** Whether a value is a path, which may be given as one from the caller's folder and is kept as an absolute one. */
  isPath(value: string): boolean;
}

/** A kind of connection: of a database, or a model in front of one. */
export type KindName = ConnectionKind | 'semantic';

/** What a kind of connection is set up with, without loading its driver. */
export interface KindDefinition {
  readonly kind: KindName;
  readonly title: string;
  readonly options: readonly OptionDefinition[];
  /** What a request may override, unless the connection's settings say otherwise (interface 2.4). */
  readonly overrides: readonly string[];
  /** How many sessions are open at once unless the connection says otherwise; null for no limit. */
  readonly maxSessions: number | null;
}

type Given = Partial<Omit<OptionDefinition, 'name' | 'description'>>;

/** An option that may be left out and takes any text, but for what `given` says. */
export function defineOption(name: string, description: string, given: Given = {}): OptionDefinition {
  const plain = { isRequired: false, isSecret: false, default: null, check: () => null, isPath: () => false };
  return { name, description, ...plain, ...given };
}

/** For `check`: a whole number within bounds. */
export function isWhole(least: number, most: number): OptionDefinition['check'] {
  return (value) => {
    const isInside = /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most;
    return isInside ? null : `must be a whole number from ${least} to ${most}`;
  };
}

/** For `check`: one of some words. */
export function isOneOf(...words: readonly string[]): OptionDefinition['check'] {
  return (value) => (words.includes(value) ? null : `must be one of ${words.join(', ')}`);
}
