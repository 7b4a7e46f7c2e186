import { StateEffect, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import type { RunMessage } from '../../../api/runs/run.ts';

/** Underlines the errors of a run, or nothing. */
export const showRunErrors = StateEffect.define<readonly RunMessage[]>();

/** The errors of the last run, underlined in the text; they move with it until the next run. */
export const runErrors = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, { changes, effects, newDoc }) => {
    const shown = effects.findLast((effect) => effect.is(showRunErrors));
    if (shown === undefined) return marks.map(changes);
    return Decoration.set(
      shown.value.flatMap((message) => toMark(message, newDoc)),
      true,
    );
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** The offset of a message in a text; null if the text is shorter. */
export function findOffset(doc: Text, line: number, column: number): number | null {
  if (line < 1 || line > doc.lines) return null;
  const { from, to } = doc.line(line);
  return Math.min(from + Math.max(0, column - 1), to);
}

function toMark({ message, line, column, end }: RunMessage, doc: Text) {
  const from = line === undefined || column === undefined ? null : findOffset(doc, line, column);
  if (from === null) return [];
  const until = end === undefined ? null : findOffset(doc, end.line, end.column);
  const to = Math.max(until ?? 0, Math.min(from + 1, doc.length));
  // At the end of a text, the last character is underlined.
  const start = from === to ? Math.max(0, from - 1) : from;
  if (start === to) return [];
  return [Decoration.mark({ class: 'cm-runError', attributes: { title: message } }).range(start, to)];
}
