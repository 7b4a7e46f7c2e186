import type { Text } from '@codemirror/state';
import { substituteParams } from '../../src/engine/script/params/params.ts';
import { parseScript } from '../../src/engine/script/syntax/parse-script.ts';
import { type Summary, summarize } from '../../src/engine/script/syntax/summarize.ts';

/** UTF-16 units up to which a text is parsed while it is edited. */
export const MAX_LIVE = 1024 ** 2;

/** A name that a script can use, as the server lists it. */
export interface ScriptSymbol extends Pick<Summary, 'name' | 'params' | 'returns' | 'doc'> {
  readonly kind: Summary['kind'] | 'function';
  /** The local name of the import; null for a name of the script's package. */
  readonly import: string | null;
  /** Null for the library. */
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
}

/** The names from other files, and the paths that a script can import. */
export interface Symbols {
  readonly data: readonly ScriptSymbol[];
  readonly imports: readonly { readonly name: string; readonly path: string }[];
  readonly packages: readonly string[];
  /** The name of the project's connection; null without one. */
  readonly connection: string | null;
}

/** Lists the names that a text can use, as if it were saved; the file of the text itself is `ownFile`. */
export interface SymbolRequest {
  readonly ownFile: string;
  readonly list: (text: string) => Promise<Symbols>;
}

const NO_SYMBOLS: Symbols = { data: [], imports: [], packages: [], connection: null };
const IMPORT = /^[^\S\n]*#\+import\b.*$/gm;
/** How long the names of other files are used without asking the server again, in milliseconds. */
const FRESH_MS = 20_000;

/** Keeps the names of other files while the imports of a text stay the same. */
export class SymbolSource {
  readonly #request: SymbolRequest | undefined;
  #imports: string | undefined;
  #asked = 0;
  #symbols: Promise<Symbols> = Promise.resolve(NO_SYMBOLS);

  constructor(request: SymbolRequest | undefined) {
    this.#request = request;
  }

  /** The names of the text itself, and those of other files. Names from the server are missing if it fails. */
  async list(doc: Text): Promise<Symbols> {
    if (doc.length > MAX_LIVE) return NO_SYMBOLS;
    const others = this.#request === undefined ? NO_SYMBOLS : await this.#ask(this.#request, doc);
    const imports = others.data.filter(({ file }) => file === null || file !== this.#request?.ownFile);
    return { ...others, data: [...listOwn(doc), ...imports] };
  }

  #ask({ list }: SymbolRequest, doc: Text): Promise<Symbols> {
    const text = doc.toString();
    const imports = (text.match(IMPORT) ?? []).join('\n');
    const now = performance.now();
    if (imports === this.#imports && now - this.#asked < FRESH_MS) return this.#symbols;
    this.#imports = imports;
    this.#asked = now;
    this.#symbols = list(text).catch(() => {
      this.#imports = undefined;
      return NO_SYMBOLS;
    });
    return this.#symbols;
  }
}

const known = new WeakMap<Text, readonly ScriptSymbol[]>();

/** The names that a text declares; `file` is null. */
function listOwn(doc: Text): readonly ScriptSymbol[] {
  const cached = known.get(doc);
  if (cached !== undefined) return cached;
  const { file } = parseScript(substituteParams({ name: '', text: doc.toString() }, {}));
  const symbols = summarize(file).map(({ span, ...summary }) => {
    const line = doc.lineAt(span.start);
    return { ...summary, import: null, file: '', line: line.number, column: span.start - line.from + 1 };
  });
  known.set(doc, symbols);
  return symbols;
}

/** Prints a declaration as a call: `Orders(least = 0)`. */
export function printSignature({
  kind,
  name,
  params,
}: Pick<ScriptSymbol, 'kind' | 'name' | 'params'>): string {
  if (kind === 'constant') return name;
  const list = params.map((param) =>
    param.default === null ? param.name : `${param.name} = ${param.default}`,
  );
  return `${name}(${list.join(', ')})`;
}
