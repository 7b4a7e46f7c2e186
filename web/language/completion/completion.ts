import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeCompletion,
  snippetCompletion,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { readReference } from '../../../src/engine/script/params/param-names.ts';
import { findPlace } from '../place.ts';
import type { EditorDialect } from '../sql-keywords.ts';
import { MAX_LIVE } from '../symbols.ts';
import { completeExpression } from './complete-expression.ts';
import { completeSql } from './complete-sql.ts';
import { type CompletionRequest, type CompletionSources, type Completions, textBefore } from './context.ts';

/**
 * Completes a text at a position.
 *
 * @internal
 */
export function complete(asked: CompletionRequest, dialect: EditorDialect): Completions {
  const { state, token } = asked.place;
  if (token?.kind === 'comment' && token.to >= asked.position && !isAfterLine(asked)) return null;
  const isBody = state.place === 'body';
  if (state.place === 'import' && token?.kind === 'string') return completeImport(asked, token.from);
  const before = textBefore(asked);
  if (/\$\$?\w*$/.test(before)) return completeParameter(asked, before);
  if (asked.rules.isScript && /#\+?\w*$/.test(before)) return completeDirective(asked);
  if (!isBody) return completeExpression(asked);
  const isQuoted = token !== null && token.to >= asked.position && token.kind === 'string';
  if (isQuoted || state.open !== null) return null;
  return completeSql(asked, dialect);
}

/** Whether a comment ends before the position: it was on an earlier line. */
function isAfterLine({ place, doc, position }: CompletionRequest): boolean {
  return place.token !== null && place.token.to < doc.lineAt(position).from;
}

async function completeImport(asked: CompletionRequest, start: number): Promise<Awaited<Completions>> {
  const { packages } = await asked.symbols.list(asked.doc);
  const options = packages.map((label) => ({ label, type: 'namespace' }));
  return { from: start + 1, options, validFor: /^[^"]*$/ };
}

/** The parameters that the text uses elsewhere. */
function completeParameter({ doc, position }: CompletionRequest, before: string): Completions {
  if (doc.length > MAX_LIVE) return null;
  const from = position - (/\w*$/.exec(before)?.[0].length ?? 0);
  const text = doc.toString();
  const names = new Set<string>();
  for (let at = text.indexOf('$'); at !== -1; at = text.indexOf('$', at + 1)) {
    const reference = readReference(text, at);
    if (reference !== undefined && reference.end !== position) names.add(reference.name);
  }
  if (names.size === 0) return null;
  return { from, options: [...names].map((label) => ({ label, type: 'variable' })), validFor: /^\w*$/ };
}

/** Closes the list, also one that is still to come, with the keys that run the text. */
const closeWithRun = EditorView.domEventHandlers({
  keydown({ key, ctrlKey, metaKey, altKey }, view) {
    if (key === 'Enter' && (ctrlKey || metaKey || altKey)) closeCompletion(view);
    return false;
  },
});

/** Offers completions as one types, and on Ctrl Space; a run closes them. */
export function createCompletion(knowledge: CompletionSources, dialect: EditorDialect): Extension {
  const source = async ({ state, pos, explicit }: CompletionContext): Promise<CompletionResult | null> => {
    const place = findPlace(state.doc, pos, knowledge.rules);
    const asked = { ...knowledge, doc: state.doc, position: pos, place, isExplicit: explicit };
    return complete(asked, dialect);
  };
  return [autocompletion({ override: [source], icons: false, maxRenderedOptions: 60 }), closeWithRun, theme];
}

const theme = EditorView.theme({
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    fontSize: '13px',
    maxHeight: '280px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    color: 'var(--quern-accent-text)',
    backgroundColor: 'var(--quern-accent-surface)',
  },
  // Otherwise, the library shows it.
  '.cm-tooltip.cm-tooltip-autocomplete > ul > completion-section[hidden]': { display: 'none' },
  '.cm-completionDetail': { color: 'var(--quern-text-muted)', fontStyle: 'normal' },
  '.cm-tooltip-autocomplete ul li[aria-selected] .cm-completionDetail': { color: 'inherit' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-completionInfo': { fontSize: '13px', maxWidth: '320px', whiteSpace: 'pre-wrap' },
});

const make = (label: string, template: string, detail: string): Completion =>
  snippetCompletion(template, { label, detail, type: 'keyword' });

/** Directives in bodies. */
const INSIDE: readonly Completion[] = [
  make('#+if', '#+if #{condition} then #{}#+end', 'condition'),
  make('#+elseif', '#+elseif #{condition} then ', 'condition'),
  make('#+else', '#+else ', 'condition'),
  make('#+for', '#+for #{name} : #{list} separator "#{, }" do #{}#+end', 'loop'),
  make('#+end', '#+end', 'end of a body'),
];

/** Directives at the start of a line, outside of declarations. */
const OUTSIDE: readonly Completion[] = [
  make('#+import', '#+import "#{path}"', 'import'),
  make('#+src', '#+src sql #{Name}()\n#+begin\n#{}\n#+end', 'block'),
  make('#+test', '#+test sql #{Name}()\n#+begin\n#{}\n#+end', 'test'),
  make('#+macro', '#+macro #{Name}(#{parameters})\n#+begin\n#{}\n#+end', 'macro'),
  make('#+const', '#+const\n#{name} = #{value};\n#+end', 'constants'),
];

/** Directives of a header. */
const HEADER: readonly Completion[] = [
  make('#+meta', '#+meta { :doc "#{text}" }', 'metadata'),
  make('#+begin', '#+begin\n#{}\n#+end', 'body'),
];

/** Completes a directive after `#` or `#+`. */
function completeDirective(asked: CompletionRequest): Completions {
  const [, before = '', typed] = /^(.*?)(#\+?\w*)$/.exec(textBefore(asked)) ?? [];
  if (typed === undefined) return null;
  const from = asked.position - typed.length;
  const { place, isDeclared, parts } = findPlace(asked.doc, from, asked.rules).state;
  if (place === 'header' || place === 'import') return { from, options: [...HEADER, ...OUTSIDE] };
  if (place === 'constants') return { from, options: INSIDE.filter(({ label }) => label === '#+end') };
  const isOutside = !isDeclared && parts === 0 && before.trim() === '';
  return { from, options: isOutside ? [...OUTSIDE, ...INSIDE] : INSIDE };
}
