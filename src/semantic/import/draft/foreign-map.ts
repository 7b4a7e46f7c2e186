import type { Span } from '../../../engine/text/span.ts';
import { present } from '../../../invariants/must.ts';
import { importMessages } from './errors.ts';
import type { FileLosses, PartLocation } from './losses.ts';
import type { Foreign } from './read-foreign.ts';

/**
 * A map of another format, read key by key. It reports values of the wrong form, and finally every key that was not
 * read, so that no part is lost silently.
 */
export class ForeignMap {
  readonly losses: FileLosses;
  readonly span: Span;
  /** The name in messages. */
  subject: string;
  readonly #entries: Extract<Foreign, { kind: 'map' }>['entries'];
  readonly #taken = new Set<string>();

  constructor(map: Extract<Foreign, { kind: 'map' }>, subject: string, losses: FileLosses) {
    this.#entries = map.entries;
    this.span = map.span;
    this.subject = subject;
    this.losses = losses;
  }

  get origin(): PartLocation {
    const { losses, span, subject } = this;
    return { losses, span, subject };
  }

  has(key: string): boolean {
    const value = this.#entries.get(key)?.value;
    return value !== undefined && !isNothing(value);
  }

  /** The location of a key's value, or of the map if the key is missing. */
  place(key: string): Span {
    return this.#entries.get(key)?.value.span ?? this.span;
  }

  /** A value of any form; undefined if the key is missing. */
  any(key: string): Foreign | undefined {
    this.#taken.add(key);
    const value = this.#entries.get(key)?.value;
    return value === undefined || isNothing(value) ? undefined : value;
  }

  /** A string; numbers and booleans as they are written. */
  text(key: string): string | undefined {
    const value = this.any(key);
    if (value === undefined) return undefined;
    if (value.kind !== 'scalar') return this.refuse(key, importMessages.notText());
    const isText = value.text.isWellFormed() && !value.text.includes('\0');
    return isText ? value.text : this.refuse(key, importMessages.badText());
  }

  flag(key: string): boolean | undefined {
    const value = this.any(key);
    if (value === undefined) return undefined;
    if (value.kind === 'scalar' && typeof value.value === 'boolean') return value.value;
    return this.refuse(key, importMessages.notFlag());
  }

  /** The value of a key if it is true or false. It does not mark the key as read. */
  flagOf(key: string): boolean | undefined {
    const value = this.#entries.get(key)?.value;
    return value?.kind === 'scalar' && typeof value.value === 'boolean' ? value.value : undefined;
  }

  number(key: string): number | undefined {
    const value = this.any(key);
    if (value === undefined) return undefined;
    if (value.kind === 'scalar' && Number.isFinite(value.value)) return value.value as number;
    return this.refuse(key, importMessages.notNumber());
  }

  /** The items of a list; empty if the key is missing. */
  list(key: string): readonly Foreign[] {
    const value = this.any(key);
    if (value === undefined) return [];
    return value.kind === 'list' ? value.items : (this.refuse(key, importMessages.notList()) ?? []);
  }

  /** The items of a list that are strings. */
  texts(key: string): readonly string[] {
    return this.list(key).flatMap((item) => {
      if (item.kind === 'scalar' && !isNothing(item) && item.text.isWellFormed()) return [item.text];
      this.losses.drop(item.span, `an item of \`${key}\` of ${this.subject}`, importMessages.notText());
      return [];
    });
  }

  map(key: string, subject: string): ForeignMap | undefined {
    const value = this.any(key);
    if (value === undefined) return undefined;
    if (value.kind === 'map') return new ForeignMap(value, subject, this.losses);
    return this.refuse(key, importMessages.notMap());
  }

  /** The items of a list that are maps. */
  maps(key: string, subject: string): readonly ForeignMap[] {
    return this.list(key).flatMap((item) => {
      if (item.kind === 'map') return [new ForeignMap(item, subject, this.losses)];
      this.losses.drop(item.span, subject, importMessages.notMap());
      return [];
    });
  }

  /** The items of a list that contains only maps; null, without a report, for any other value. */
  allMaps(key: string, subject: string): readonly ForeignMap[] | null {
    const value = this.any(key);
    if (value === undefined) return [];
    if (value.kind !== 'list' || value.items.some(({ kind }) => kind !== 'map')) return null;
    return this.maps(key, subject);
  }

  /** Reports that the whole map is left out; its keys are not reported separately. */
  drop(why: string, span = this.span): undefined {
    this.losses.drop(span, this.subject, why);
    for (const key of this.#entries.keys()) this.#taken.add(key);
    return undefined;
  }

  approximate(why: string, span = this.span): void {
    this.losses.approximate(span, this.subject, why);
  }

  /** Marks keys that do not affect queries as read. */
  ignore(...keys: readonly string[]): void {
    for (const key of keys) this.#taken.add(key);
  }

  /** Reports every key that was not read; `reasons` gives specific messages. */
  finish(reasons: Readonly<Record<string, string>> = {}): void {
    for (const [key, { span, value }] of this.#entries) {
      if (this.#taken.has(key) || isNothing(value) || isEmpty(value)) continue;
      const why = Object.hasOwn(reasons, key) ? present(reasons[key]) : importMessages.nothingLike();
      this.losses.drop(span, `\`${key}\` of ${this.subject}`, why);
    }
  }

  /** Reports that the value of a key is left out. */
  refuse(key: string, why: string): undefined {
    this.losses.drop(this.place(key), `\`${key}\` of ${this.subject}`, why);
    return undefined;
  }
}

function isNothing(value: Foreign): boolean {
  return value.kind === 'scalar' && value.value === null;
}

function isEmpty(value: Foreign): boolean {
  return (
    (value.kind === 'list' && value.items.length === 0) || (value.kind === 'map' && value.entries.size === 0)
  );
}
