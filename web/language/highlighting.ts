import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { Tag } from '@lezer/highlight';
import { LEXICAL_RULES } from '../../src/engine/text/lexical-rules.ts';
import { type ScanRules, scanToken } from './scan/scan-line.ts';
import { type ScanState, START, type TokenKind } from './scan/state.ts';
import { type EditorDialect, SQL_KEYWORDS } from './sql-keywords.ts';

/** A tag for each kind of token that has a style. */
const TAGS: Readonly<Record<Exclude<TokenKind, 'space' | 'word'>, Tag>> = {
  comment: Tag.define(),
  keyword: Tag.define(),
  function: Tag.define(),
  number: Tag.define(),
  string: Tag.define(),
  'quoted-name': Tag.define(),
  punctuation: Tag.define(),
  parameter: Tag.define(),
  directive: Tag.define(),
  brace: Tag.define(),
  name: Tag.define(),
  symbol: Tag.define(),
  'value-word': Tag.define(),
  operator: Tag.define(),
  unknown: Tag.define(),
};

const accent = { color: 'var(--quern-accent-text)', fontWeight: '600' };
const muted = { color: 'var(--quern-text-muted)' };
const number = { color: 'var(--quern-warning-text)' };

/** The styles of tokens, from values.css. The editor must set the nonce of style sheets. */
const highlightStyle = HighlightStyle.define([
  { tag: TAGS.comment, ...muted, fontStyle: 'italic' },
  { tag: TAGS.keyword, color: 'var(--quern-info-text)' },
  { tag: TAGS.string, color: 'var(--quern-success-text)' },
  { tag: [TAGS.number, TAGS.symbol, TAGS['value-word']], ...number },
  { tag: [TAGS.directive, TAGS.brace], ...accent },
  { tag: TAGS.parameter, color: 'var(--quern-accent-text)', fontStyle: 'italic' },
  { tag: TAGS.function, fontWeight: '500' },
  { tag: [TAGS.operator, TAGS.punctuation], ...muted },
  { tag: TAGS.unknown, color: 'var(--quern-danger-text)' },
]);

/** Characters of a line that are scanned; the rest of a longer line has no colours. */
const MAX_LINE_LENGTH = 10_000;

/** The rules by which a script, or a text of plain SQL, is scanned. */
export function createScanRules(isScript: boolean, dialect: EditorDialect = 'duckdb'): ScanRules {
  return { lexicalRules: LEXICAL_RULES[dialect], isScript, keywords: SQL_KEYWORDS[dialect] };
}

/** The colours of a text. */
export function createColours(rules: ScanRules): Extension {
  return [createHighlighting(rules), syntaxHighlighting(highlightStyle)];
}

/** Creates the language of an editor: the scanner, as CodeMirror calls it. */
function createHighlighting(rules: ScanRules): StreamLanguage<{ at: ScanState }> {
  return StreamLanguage.define<{ at: ScanState }>({
    name: rules.isScript ? 'quern-script' : 'quern-sql',
    startState: () => ({ at: START }),
    copyState: ({ at }) => ({ at }),
    token(stream, state) {
      const line = stream.string.slice(0, MAX_LINE_LENGTH);
      if (stream.pos >= line.length) {
        stream.skipToEnd();
        return null;
      }
      const { kind, end, state: next } = scanToken(line, stream.pos, state.at, rules);
      stream.pos = end;
      state.at = next;
      return kind === 'space' || kind === 'word' ? null : kind;
    },
    tokenTable: TAGS,
    languageData: {
      commentTokens: { line: '--', block: { open: '/*', close: '*/' } },
      closeBrackets: { brackets: ['(', '[', '{', "'", '"'] },
    },
  });
}
