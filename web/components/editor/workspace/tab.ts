import { Text } from '@codemirror/state';
import type { CatalogItem } from '../../../api/catalog/catalog.ts';
import { getName } from '../../../api/catalog/catalog-paths.ts';
import type { KeptTab } from '../../../api/editor/drafts.ts';
import type { SavedItem } from '../../../api/editor/save-script.ts';

/** The revision of a script that a text is based on. */
export interface Base {
  readonly etag: string;
  readonly doc: Text;
  /** What ends the lines in the catalog; the editor itself uses `\n`. */
  readonly lineBreak: '\n' | '\r\n';
  /** Together with the path, it identifies the script. */
  readonly createdAt: string;
}

/** An open tab: a script of the catalog, or a query that only this browser has. */
export interface Tab {
  readonly id: number;
  /** The path of the script, or the name of the query, such as `query-1`; the last part of the page's address. */
  readonly key: string;
  /** The name that the user gave a query; null without one. */
  readonly title: string | null;
  /** Null for a query, and while a script is loaded. */
  readonly base: Base | null;
  /** Whether the text differs from the catalog; for a query, whether it has a text. */
  readonly isChanged: boolean;
  /** Whether it has no character; false while a script is loaded. */
  readonly isEmpty: boolean;
  /** Whether it is too long to be checked while it is typed. */
  readonly isLong: boolean;
  /** When the browser kept the text that is back after a reload; null after a decision, and without such a text. */
  readonly restoredAt: string | null;
  /** A revision that another user has saved since; null without one. */
  readonly newer: CatalogItem | null;
  /** Whether the page shows the newer revision and the text side by side, to merge them. */
  readonly isMerging: boolean;
  /** Whether the script does not exist any more at its path. */
  readonly isGone: boolean;
  readonly isSaving: boolean;
  readonly saveError: Error | null;
  /** The last execution; null before the first one. */
  readonly runId: string | null;
  /** The fingerprint of the text that it ran; null if that is not known. */
  readonly ranText: string | null;
  /** Whether the text is another one than that. */
  readonly isOtherText: boolean;
}

/** The properties of a new tab. */
export function createTab(id: number, { key, title = null, runId, ranText }: KeptTab): Tab {
  return {
    id,
    key,
    title,
    base: null,
    isChanged: false,
    isEmpty: false,
    isLong: false,
    restoredAt: null,
    newer: null,
    isMerging: false,
    isGone: false,
    isSaving: false,
    saveError: null,
    runId,
    ranText,
    isOtherText: false,
  };
}

/** A number in hexadecimal digits that two texts hardly ever share (two hashes of 32 bits, FNV-1a with two offsets). */
export function fingerprint(text: string): string {
  let [one, two] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    two = Math.imul(two ^ code, 0x85ebca6b);
  }
  return `${(one >>> 0).toString(16)}-${(two >>> 0).toString(16)}-${text.length}`;
}

/** Whether a key names a query; otherwise it is a path of the catalog. */
export function isQuery(key: string): boolean {
  return readQueryNumber(key) > 0;
}

/** The number of a query; 0 for other keys. */
export function readQueryNumber(key: string): number {
  return Number(/^query-(\d{1,9})$/.exec(key)?.[1] ?? 0);
}

/** The key of a query. */
export function toQueryKey(number: number): string {
  return `query-${number}`;
}

/** Whether a text is a script, and not a document such as `project.toml`. */
export function isScript(key: string): boolean {
  return !/\.(toml|ya?ml|json)$/i.test(key);
}

/** What people call a tab. */
export function getTitle({ key, title = null }: Pick<KeptTab, 'key' | 'title'>): string {
  return title ?? (isQuery(key) ? `Query ${readQueryNumber(key)}` : getName(key));
}

/** The maximum UTF-16 units of the name of a query; names of scripts have the same limit. */
const MAX_TITLE = 255;

/** Why a query cannot have a name; null if it can. */
export function checkTitle(title: string, others: readonly Pick<Tab, 'key' | 'title'>[]): string | null {
  const name = title.trim();
  if (!/[^\s\p{C}]/u.test(name)) return 'Enter a name';
  if (name.length > MAX_TITLE)
    return `A name has at most ${MAX_TITLE} characters; this one has ${name.length}`;
  const isTaken = others.some((other) => isQuery(other.key) && getTitle(other) === name);
  return isTaken ? 'Another open query has this name: choose a different one' : null;
}

/** A text as the editor has it: its lines without what ends them. */
export function toDoc(text: string): Text {
  return Text.of(text.split(/\r\n?|\n/));
}

/** The revision of an item as the base of a text. */
export function toBase({ data: { content = '' }, etag, created_at: createdAt }: SavedItem): Base {
  const lineBreak = /^[^\n]*\r\n/.test(content) ? '\r\n' : '\n';
  return { etag, doc: toDoc(content), lineBreak, createdAt };
}

/** A text as the catalog has it. */
export function printDoc(doc: Text, base: Base | null): string {
  return doc.sliceString(0, doc.length, base?.lineBreak ?? '\n');
}

/** Whether an item is an earlier revision of the same script: a response that was late. */
export function isEarlier(item: CatalogItem, { etag, createdAt }: Base): boolean {
  const toNumber = (tag: string) => Number(tag.replaceAll('"', ''));
  return item.created_at === createdAt && toNumber(item.etag) < toNumber(etag);
}
