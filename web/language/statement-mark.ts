import { type Extension, RangeSet, StateEffect, StateField } from '@codemirror/state';
import { EditorView, GutterMarker, gutterLineClass, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { findStatementAt } from './script-parts.ts';
import type { EditorDialect } from './sql-keywords.ts';

/** UTF-16 units up to which the statement at the cursor is marked. */
const MAX_MARKED = 100_000;
/** Without keys for so long, the mark moves, in milliseconds. */
const QUIET_MS = 80;

class StatementLine extends GutterMarker {
  override elementClass = 'cm-statement-line';
}

const LINE = new StatementLine();
const showLines = StateEffect.define<RangeSet<GutterMarker>>();

const lines = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update(marked, transaction) {
    const shown = transaction.effects.find((effect) => effect.is(showLines));
    return shown === undefined ? marked.map(transaction.changes) : shown.value;
  },
  provide: (field) => gutterLineClass.from(field),
});

/** Marks in the gutter the lines of the statement at the cursor, which Ctrl/⌘ Enter runs. */
export function markStatement(dialect: EditorDialect): Extension {
  const plugin = ViewPlugin.define((view) => {
    let timer = 0;
    const show = () => view.dispatch({ effects: showLines.of(findLines(view, dialect)) });
    const plan = () => {
      window.clearTimeout(timer);
      timer = window.setTimeout(show, QUIET_MS);
    };
    plan();
    return {
      update({ docChanged, selectionSet }: ViewUpdate) {
        if (docChanged || selectionSet) plan();
      },
      destroy: () => window.clearTimeout(timer),
    };
  });
  return [lines, plugin, style];
}

function findLines({ state }: EditorView, dialect: EditorDialect): RangeSet<GutterMarker> {
  const { doc, selection } = state;
  if (doc.length > MAX_MARKED || !selection.main.empty) return RangeSet.empty;
  const statement = findStatementAt(doc.toString(), selection.main.head, dialect);
  if (statement === null) return RangeSet.empty;
  const [first, last] = [doc.lineAt(statement.start).number, doc.lineAt(statement.end).number];
  const starts = Array.from({ length: last - first + 1 }, (_, nth) => doc.line(first + nth).from);
  return RangeSet.of(starts.map((start) => LINE.range(start)));
}

const style = EditorView.theme({
  '.cm-lineNumbers .cm-statement-line': { boxShadow: 'inset 3px 0 0 var(--quern-accent-text)' },
});
