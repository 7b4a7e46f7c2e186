import { elementAt, present } from '../../../invariants/must.ts';
import type { Source } from '../../text/source.ts';
import { isReplaced, type Params, type Rendered, substituteParams } from '../params/params.ts';
import { lexExpression, type Token } from '../syntax/lex-expression.ts';
import { VALUE_WORDS } from '../syntax/parse-expression.ts';
import { ScriptSyntaxError } from '../syntax/syntax-error.ts';

/** How a script uses a name: with members (`name.member`), and otherwise (`name`). */
export interface ScannedUse {
  readonly members: Set<string>;
  isAlone: boolean;
}

interface ScannedImport {
  readonly path: string;
  /** The local name of the package. */
  readonly name: string;
  /** The position of the directive. */
  readonly start: number;
}

/** The names in a script. A script can contain fewer: names in comments and in invalid lines are included. */
export interface ScannedNames {
  readonly imports: readonly ScannedImport[];
  /** The names of blocks, tests, macros and constants. */
  readonly defined: ReadonlySet<string>;
  /** The names in expressions, except names of arguments; null if there are too many expressions. */
  readonly used: ReadonlyMap<string, ScannedUse> | null;
  /** Names of parameters and loop variables, and other names that are not those of definitions. */
  readonly locals: ReadonlySet<string>;
}

/** A part of a script that consists of tokens. */
type Region = 'import' | 'interpolation' | 'condition' | 'loop' | 'header' | 'constants' | 'metadata';

const REGIONS: ReadonlyMap<string, Region> = new Map([
  ['if', 'condition'],
  ['elseif', 'condition'],
  ['for', 'loop'],
  ['src', 'header'],
  ['test', 'header'],
  ['macro', 'header'],
  ['const', 'constants'],
  ['meta', 'metadata'],
]);

/** The keyword after the expressions of a region. */
const LAST_WORDS: Readonly<Partial<Record<Region, string>>> = { condition: 'then', loop: 'do' };
/** Regions inside bodies, where comments are not skipped. */
const IN_BODIES: ReadonlySet<Region> = new Set(['import', 'interpolation', 'condition', 'loop']);
/** Tokens that contain the name of a definition. */
const HEADER_TOKENS = 3;
/** Tokens that no expression contains. */
const ENDS: ReadonlySet<Token['kind']> = new Set(['end', 'unknown', 'directive']);
/** Words of expressions that are never names. */
const WORDS: ReadonlySet<string> = new Set([...VALUE_WORDS, 'and', 'or', 'not']);
const DIRECTIVE = /[A-Za-z]\w*/y;

/** Words between the expressions of a loop. */
const CLAUSES = ['separator', 'before', 'after'];
/** Tokens that are read before the expressions of a script count as too many: other requests wait meanwhile. */
const MAX_TOKENS = 20_000;
/** Definitions of a script that are found. */
const MAX_DEFINED = 20_000;

/** What the scan of a script found so far. */
interface ScanResult {
  readonly imports: ScannedImport[];
  readonly defined: Set<string>;
  used: Map<string, ScannedUse> | null;
  readonly locals: Set<string>;
  /** Whether a parameter is part of a defined name. */
  isOpen: boolean;
}

/**
 * Finds the names in a script without parsing it, in time that is linear in its length
 * (docs/reference/language.md#names).
 */
export function scanNames(rendered: Rendered): ScannedNames {
  return new NameScan(rendered).scan();
}

/** The names that scripts define without parameters, by version. */
const cache = new WeakMap<object, Pick<ScanResult, 'defined' | 'isOpen'>>();

/** Whether `listDefined` needs no text for a version. */
export function isScanned(version: object): boolean {
  return cache.get(version)?.isOpen === false;
}

/**
 * The names that a script can define, cached by the object `version`; `readSource` returns its text, or null if it cannot be
 * read. Throws a ParamError.
 */
export function listDefined(
  version: object,
  readSource: () => Source | null,
  params: Params,
): Iterable<string> {
  const cachedNames = cache.get(version);
  if (cachedNames?.isOpen === false) return cachedNames.defined;
  const source = readSource();
  if (source === null) return [];
  const raw = cachedNames ?? new NameScan(substituteParams(source, {})).scanDefined();
  cache.set(version, raw);
  return raw.isOpen ? new NameScan(substituteParams(source, params)).scanDefined().defined : raw.defined;
}

class NameScan {
  readonly #rendered: Rendered;
  readonly #names: ScanResult = {
    imports: [],
    defined: new Set(),
    used: new Map(),
    locals: new Set(CLAUSES),
    isOpen: false,
  };
  /** The starts of all tokens, so that no token is read twice. */
  readonly #seen = new Set<number>();
  /** Whether the last tokens of the script were read: a comment after them can have no end. */
  #isAtEnd = false;

  constructor(rendered: Rendered) {
    this.#rendered = rendered;
  }

  scan(): ScannedNames {
    const { text } = this.#rendered;
    for (let at = text.indexOf('{{'); at !== -1; at = text.indexOf('{{', at + 1)) {
      if (this.#names.used === null) break;
      if (!isReplaced(this.#rendered, at)) this.#addUses(this.#read(at + 2, 'interpolation'));
    }
    return this.scanDefined();
  }

  /** Finds everything but interpolations. */
  scanDefined(): ScanResult {
    const { text } = this.#rendered;
    const { defined } = this.#names;
    for (let at = text.indexOf('#+'); at !== -1; at = text.indexOf('#+', at + 1)) {
      if (defined.size < MAX_DEFINED && !isReplaced(this.#rendered, at)) this.#readDirective(at);
    }
    return this.#names;
  }

  #readDirective(start: number): void {
    const { text } = this.#rendered;
    DIRECTIVE.lastIndex = start + 2;
    const word = DIRECTIVE.exec(text)?.[0] ?? '';
    const end = start + 2 + word.length;
    if (word === 'import' && beginsLine(text, start)) this.#readImport(start, end);
    const region = REGIONS.get(word);
    const isDefinition = region === 'header' || region === 'constants';
    if (region === undefined || (this.#names.used === null && !isDefinition)) return;
    const tokens = this.#read(end, region);
    // The language of a block is not a name.
    this.#addRegion(region, word === 'src' || word === 'test' ? tokens.slice(1) : tokens);
  }

  #addRegion(region: Region, tokens: readonly Token[]): void {
    this.#addUses(tokens);
    if (region === 'header') this.#addHeader(tokens);
    if (region === 'constants') this.#addConstants(tokens);
    if (region === 'loop' && tokens[0] !== undefined) this.#names.locals.add(tokens[0].text);
  }

  #readImport(start: number, end: number): void {
    const path = this.#lex(end, 'import');
    if (path?.kind !== 'string') return;
    const as = this.#lex(path.end, 'import');
    const alias = as?.kind === 'name' && as.text === 'as' ? this.#lex(as.end, 'import') : null;
    const name = alias?.kind === 'name' ? alias.text : elementAt(path.text.split('/'), -1);
    this.#names.imports.push({ path: path.text, name, start });
  }

  /** The tokens of a region up to its end, an error, or a token that was read before. */
  #read(from: number, region: Region): readonly Token[] {
    const tokens: Token[] = [];
    let depth = 0;
    for (
      let token = this.#lex(from, region, tokens);
      token !== null;
      token = this.#lex(token.end, region, tokens)
    ) {
      if (this.#isOver(token, tokens) || (depth === 0 && isLast(token, tokens.at(-1), region))) break;
      if (token.end > token.start) this.#seen.add(token.start);
      // In `#+for row :Rows()`, the colon is not part of a symbol.
      const isList = region === 'loop' && token.kind === 'symbol' && tokens.length === 1;
      tokens.push(isList ? { ...token, kind: 'name' } : token);
      depth += countDepth(token);
    }
    return tokens;
  }

  /** Whether a token ends its region in every case. */
  #isOver({ kind, start }: Token, before: readonly Token[]): boolean {
    if (kind === 'end') this.#isAtEnd = true;
    if (this.#seen.size > MAX_TOKENS) this.#names.used = null;
    if (this.#names.used === null && before.length >= HEADER_TOKENS) return true;
    return ENDS.has(kind) || this.#seen.has(start);
  }

  /** The token after the others of a region. */
  #lex(at: number, region: Region, others: readonly Token[] = []): Token | null {
    const comments = !(IN_BODIES.has(region) || this.#isAtEnd);
    // The name in a header is text.
    const hasValues = region !== 'import' && !(region === 'header' && others.length < HEADER_TOKENS);
    const last = others.at(-1);
    const isPastValue = last?.kind === 'param' && last.start === last.end;
    try {
      return lexExpression(this.#rendered, at, { comments, hasValues, isPastValue });
    } catch (error) {
      if (error instanceof ScriptSyntaxError) return null;
      throw error;
    }
  }

  #addUses(tokens: readonly Token[]): void {
    const { used } = this.#names;
    for (const [at, { kind, text }] of tokens.entries()) {
      const [before, after] = [tokens[at - 1], tokens[at + 1]];
      if (kind !== 'name' || WORDS.has(text) || isSign(before, '.') || used === null) continue;
      if (isSign(after, '=') && (isSign(before, '(') || isSign(before, ','))) continue;
      const use = used.get(text) ?? { members: new Set(), isAlone: false };
      used.set(text, use);
      const member = isSign(after, '.') ? tokens[at + 2] : undefined;
      if (member?.kind === 'name') use.members.add(member.text);
      else use.isAlone = true;
    }
  }

  /** Adds the name of a block, test or macro, which is the first token. */
  #addHeader(tokens: readonly Token[]): void {
    const [name, next] = tokens;
    const names = this.#names;
    if (name?.kind === 'name') names.defined.add(name.text);
    names.isOpen ||= name?.kind === 'unset' || (next?.kind === 'unset' && next.start === name?.end);
    for (const { kind, text } of tokens) if (kind === 'name') names.locals.add(text);
  }

  #addConstants(tokens: readonly Token[]): void {
    for (const [at, token] of tokens.entries()) {
      if (!isSign(token, '=') || at === 0) continue;
      const name = present(tokens[at - 1]);
      const { text } = this.#rendered;
      if (name.kind === 'name') this.#names.defined.add(name.text);
      if (name.kind === 'param') this.#names.defined.add(text.slice(name.start, name.end));
      this.#names.isOpen ||= name.kind === 'unset';
    }
  }
}

/** How much deeper the tokens after a token are nested. */
function countDepth({ kind, text }: Token): number {
  if (kind !== 'sign') return 0;
  return Number('([{'.includes(text)) - Number(')]}'.includes(text));
}

/** Whether a token, which no bracket encloses, ends a region. */
function isLast({ kind, text }: Token, before: Token | undefined, region: Region): boolean {
  if (region === 'interpolation') return kind === 'sign' && text === '}';
  // The keyword can also be a name, but no name follows an operand.
  return kind === 'name' && text === LAST_WORDS[region] && before !== undefined && isOperand(before);
}

function isOperand({ kind, text }: Token): boolean {
  return kind === 'sign'
    ? ')]}'.includes(text)
    : !(kind === 'name' && WORDS.has(text) && !VALUE_WORDS.includes(text));
}

function isSign(token: Token | undefined, text: string): boolean {
  return token?.kind === 'sign' && token.text === text;
}

/** Whether only spaces precede a position on its line. */
function beginsLine(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && /[^\S\n\r\u2028\u2029]/.test(text.charAt(before))) before -= 1;
  return before < 0 || /[\n\r\u2028\u2029]/.test(text.charAt(before));
}
