import { type Diagnostic, forEachDiagnostic, linter, nextDiagnostic } from '@codemirror/lint';
import type { Extension, Text } from '@codemirror/state';
import { EditorView, keymap, ViewPlugin } from '@codemirror/view';
import { MAX_LIVE } from './symbols.ts';

interface Position {
  readonly line: number;
  readonly column: number;
}

/** A message about a text, as the server sends it: lines and columns begin at 1. */
export interface TextDiagnostic extends Position {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** A similar name; null without one. */
  readonly suggestion?: string | null;
  readonly end: Position;
}

/** Checks a text; rejects when the signal is aborted. */
export type Check = (text: string, signal: AbortSignal) => Promise<readonly TextDiagnostic[]>;

/** How long the text must stay the same before it is checked, in milliseconds. */
const DELAY_MS = 400;

/** Shows the diagnostics of the server as one types. A longer text is not checked. */
export function createDiagnostics(check: Check): Extension {
  let running = new AbortController();
  const source = async ({ state: { doc } }: EditorView): Promise<readonly Diagnostic[]> => {
    running.abort();
    running = new AbortController();
    if (doc.length > MAX_LIVE) return [];
    try {
      const diagnostics = await check(doc.toString(), running.signal);
      return diagnostics.map((diagnostic) => toDiagnostic(diagnostic, doc));
    } catch {
      // The page reports failed requests; the next change checks again.
      return [];
    }
  };
  const abort = ViewPlugin.define(() => ({
    update: ({ docChanged }) => docChanged && running.abort(),
    destroy: () => running.abort(),
  }));
  return [linter(source, { delay: DELAY_MS }), abort, keys, theme];
}

function toDiagnostic(
  { severity, message, suggestion, end, ...start }: TextDiagnostic,
  doc: Text,
): Diagnostic {
  const from = toOffset(start, doc);
  const to = Math.max(from, toOffset(end, doc));
  if (!suggestion) return { from, to, severity, message };
  const name = `Replace with ${suggestion}`;
  const apply = (view: EditorView, at: number, until: number) =>
    view.dispatch({ changes: { from: at, to: until, insert: suggestion } });
  return { from, to, severity, message, actions: [{ name, apply }] };
}

/** The offset of a position; positions outside the text are clamped. */
function toOffset({ line, column }: Position, doc: Text): number {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(from + Math.max(column, 1) - 1, to);
}

const keys = keymap.of([
  { key: 'F8', run: nextDiagnostic },
  { key: 'Mod-.', run: applySuggestion },
]);

/** Replaces the name at the cursor by the one that its diagnostic suggests. */
function applySuggestion(view: EditorView): boolean {
  const { from: start, to: end } = view.state.selection.main;
  let isApplied = false;
  forEachDiagnostic(view.state, ({ actions = [] }, from, to) => {
    const [action] = actions;
    if (isApplied || view.state.readOnly || action === undefined || from > start || to < end) return;
    isApplied = true;
    action.apply(view, from, to);
  });
  return isApplied;
}

/** The underlines of the library are images, which do not follow the colour scheme. */
const underline = (colour: string) => ({
  backgroundImage: 'none',
  textDecoration: `underline wavy ${colour} 1px`,
  textUnderlineOffset: '3px',
});

const theme = EditorView.theme({
  '.cm-lintRange-error': underline('var(--quern-danger-text)'),
  '.cm-lintRange-warning': underline('var(--quern-warning-text)'),
  '.cm-lintRange-active': { backgroundColor: 'var(--quern-accent-surface)' },
  '.cm-diagnostic': { padding: '6px 10px', maxWidth: '480px', fontSize: '13px' },
  '.cm-diagnostic-error': { borderLeft: '4px solid var(--quern-danger-text)' },
  '.cm-diagnostic-warning': { borderLeft: '4px solid var(--quern-warning-text)' },
  '.cm-diagnosticAction': {
    color: 'var(--quern-accent-text)',
    backgroundColor: 'var(--quern-accent-surface)',
    fontSize: '13px',
    padding: '2px 8px',
  },
});
