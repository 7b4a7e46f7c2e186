import { type Completion, snippetCompletion } from '@codemirror/autocomplete';
import type { Text } from '@codemirror/state';
import { CHECK_KEYS } from '../../../src/engine/script/checks/check-keys.ts';
import { GIVEN_KEYS } from '../../../src/engine/script/checks/given.ts';
import { VALUE_WORDS } from '../../../src/engine/script/syntax/parse-expression.ts';
import { printSignature, type ScriptSymbol } from '../symbols.ts';
import { type CompletionRequest, type Completions, textBefore } from './context.ts';

/** Keys of metadata and of publications (docs/reference/language.md#metadata, docs/reference/publishing.md). */
const META_KEYS = ['doc', 'tags', 'publication', 'checks', 'severity', 'fail_above', 'given', 'expect'];
/** Keys of maps in lists: checks, and given rows. */
const LISTED_KEYS = [...new Set([...CHECK_KEYS, ...GIVEN_KEYS])];
const PUBLICATION_KEYS = [
  'type',
  'name',
  'schema',
  'path',
  'connection',
  'options',
  'primary_key',
  'incremental',
  'unique_key',
  'update_on_changes_in',
  'on_schema_change',
];

/** Completes a name, a member of an import or a key in an expression. */
export async function completeExpression(asked: CompletionRequest): Promise<Awaited<Completions>> {
  const before = textBefore(asked);
  const { state, token } = asked.place;
  const key = /:(\w*)$/.exec(before)?.[1];
  if (key !== undefined && state.brackets.includes('{')) {
    const keys =
      state.brackets.length === 1 ? META_KEYS : state.brackets.includes('[') ? LISTED_KEYS : PUBLICATION_KEYS;
    return { from: asked.position - key.length, options: keys.map((label) => ({ label, type: 'property' })) };
  }
  if (token?.kind === 'string' || token?.kind === 'number') return null;
  const [, owner, typed = ''] =
    /(?:([\p{L}_][\p{L}\p{N}_]*)\.)?([\p{L}_][\p{L}\p{N}_]*)?$/u.exec(before) ?? [];
  if (owner === undefined && typed === '' && !asked.isExplicit) return null;
  const { data, imports } = await asked.symbols.list(asked.doc);
  const from = asked.position - typed.length;
  const isCalled = /^\s*\(/.test(
    asked.doc.sliceString(asked.position, asked.position + 20).replace(/^\w*/, ''),
  );
  const toOption = (symbol: ScriptSymbol) => toCompletion(symbol, isCalled);
  const validFor = /^[\p{L}\p{N}_]*$/u;
  if (owner !== undefined) {
    const members = data.filter((symbol) => symbol.import === owner);
    return members.length === 0 ? null : { from, options: members.map(toOption), validFor };
  }
  const locals = listLocals(asked.doc, asked.position);
  return {
    from,
    validFor,
    options: [
      ...locals.map((label) => ({ label, type: 'variable', boost: 2 })),
      ...data.filter((symbol) => symbol.import === null).map(toOption),
      ...imports.map(({ name, path }) => ({ label: name, detail: path, type: 'namespace' })),
      ...VALUE_WORDS.map((label) => ({ label, type: 'constant', boost: -1 })),
    ],
  };
}

/** A completion that inserts a call with its required arguments, unless `(` follows already. */
export function toCompletion(symbol: ScriptSymbol, isCalled: boolean): Completion {
  const { name, kind, doc, params } = symbol;
  const option: Completion = {
    label: name,
    detail: printSignature(symbol).slice(name.length) || kind,
    type: TYPES[kind],
    ...(doc === null ? {} : { info: doc }),
  };
  if (kind === 'constant' || isCalled) return option;
  const required = params.filter((param) => param.default === null);
  return snippetCompletion(`${name}(${required.map((param) => `#{${param.name}}`).join(', ')})`, option);
}

const TYPES: Readonly<Record<ScriptSymbol['kind'], string>> = {
  block: 'class',
  test: 'class',
  macro: 'function',
  function: 'function',
  constant: 'constant',
};

const HEADER = /#\+(?:src\s+sql|macro)\s+[\p{L}_][\p{L}\p{N}_]*\s*\(([^)]*)\)/u;
const LOOP = /#\+for\s+([\p{L}_][\p{L}\p{N}_]*)/gu;
const NAME = /^\s*([\p{L}_][\p{L}\p{N}_]*)/u;
const DECLARATION = /^\s*#\+(?:src|test|macro|const|import)\b/;
const MAX_LINES = 2_000;

/**
 * The parameters and loop variables at a position: those of the declaration that starts last before it. Reads the text
 * itself, because a script is rarely valid while someone types in it.
 */
function listLocals(doc: Text, position: number): readonly string[] {
  const last = doc.lineAt(position).number;
  let first = last;
  while (first > 1 && last - first < MAX_LINES && !DECLARATION.test(doc.line(first).text)) first -= 1;
  const text = doc.sliceString(doc.line(first).from, position);
  const params = HEADER.exec(text)?.[1]?.split(',') ?? [];
  const names = params.flatMap((param) => NAME.exec(param)?.[1] ?? []);
  const loops = [...text.matchAll(LOOP)].map(([, name = '']) => name);
  return [...new Set([...names, ...loops])];
}
