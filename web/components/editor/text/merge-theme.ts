import { EditorView } from '@codemirror/view';

const THEIRS = 'light-dark(rgb(38 115 223 / 10%), rgb(38 115 223 / 22%))';
const MINE = 'light-dark(rgb(23 112 47 / 10%), rgb(72 198 168 / 16%))';

/** The look of two texts side by side. */
export const mergeTheme = EditorView.theme({
  '&.cm-merge-a .cm-changedLine, &.cm-merge-a .cm-inlineChangedLine': { backgroundColor: THEIRS },
  '&.cm-merge-b .cm-changedLine, &.cm-merge-b .cm-inlineChangedLine': { backgroundColor: MINE },
  // Underlined: a stronger background would make the colours of the syntax hard to read.
  '&.cm-merge-a .cm-changedText, &.cm-merge-a .cm-deletedChunk .cm-deletedText': {
    background: 'none',
    boxShadow: 'inset 0 -2px var(--quern-info-text)',
  },
  '&.cm-merge-b .cm-changedText': {
    background: 'none',
    boxShadow: 'inset 0 -2px var(--quern-success-text)',
  },
  '&.cm-merge-a .cm-changedLineGutter': { background: 'var(--quern-info-text)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--quern-success-text)' },
  '.cm-collapsedLines': {
    color: 'var(--quern-text-muted)',
    background: 'var(--quern-surface-sunken)',
    padding: '4px 12px',
  },
});
