import { EditorView } from '@codemirror/view';

const PAPER = 'light-dark(#fff, var(--mantine-color-dark-8))';
const LINE = 'light-dark(rgb(192 143 47 / 9%), rgb(220 187 116 / 7%))';
const SELECTION = 'light-dark(#ecd9b0, #54431f)';
const BORDER = '1px solid var(--mantine-color-default-border)';

/** The look of texts, from the values of the console. */
export const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', color: 'var(--mantine-color-text)', backgroundColor: PAPER },
  // The frame around the text shows the focus.
  '&.cm-focused, .cm-content:focus-visible': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    lineHeight: '20px',
    overscrollBehavior: 'contain',
  },
  '.cm-content': { caretColor: 'var(--mantine-color-text)', padding: '8px 0' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--mantine-color-text)', borderLeftWidth: '2px' },
  '.cm-gutters': {
    border: 'none',
    color: 'light-dark(var(--mantine-color-gray-6), var(--mantine-color-dark-2))',
    backgroundColor: PAPER,
  },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 12px 0 16px', minWidth: '44px' },
  '.cm-activeLine': { backgroundColor: LINE },
  '.cm-activeLineGutter': { color: 'var(--mantine-color-text)', backgroundColor: LINE },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: SELECTION,
  },
  '.cm-selectionMatch': { backgroundColor: 'light-dark(#f3e7cd, #3a2d14)' },
  '.cm-searchMatch': { backgroundColor: 'light-dark(#ffe9a8, #5a4a10)', outline: BORDER },
  '.cm-searchMatch.cm-searchMatch-selected': { backgroundColor: 'light-dark(#f7c65c, #86651a)' },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--quern-accent-surface)',
    outline: '1px solid var(--quern-focus)',
  },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--quern-danger-surface)' },
  '.cm-specialChar': { color: 'var(--quern-danger-text)' },
  '.cm-runError': {
    textDecoration: 'underline wavy var(--quern-danger-text)',
    textUnderlineOffset: '3px',
    backgroundColor: 'var(--quern-danger-surface)',
  },
  '.cm-placeholder': { color: 'var(--quern-text-muted)' },
  '.cm-panels': {
    color: 'var(--mantine-color-text)',
    backgroundColor: 'var(--quern-surface-sunken)',
    fontFamily: 'var(--mantine-font-family)',
  },
  '.cm-panels.cm-panels-top': { borderBottom: BORDER },
  '.cm-panels.cm-panels-bottom': { borderTop: BORDER },
  '.cm-textfield': {
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: '4px',
    padding: '4px 8px',
    fontSize: '14px',
    color: 'var(--mantine-color-text)',
    backgroundColor: 'var(--mantine-color-default)',
  },
  '.cm-button': {
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: '4px',
    padding: '4px 10px',
    fontSize: '14px',
    color: 'var(--mantine-color-text)',
    backgroundColor: 'var(--mantine-color-default)',
    backgroundImage: 'none',
  },
  '.cm-tooltip': {
    // Below dialogs, which can open before the text notices that it has lost the focus.
    zIndex: 100,
    border: BORDER,
    borderRadius: '6px',
    color: 'var(--mantine-color-text)',
    backgroundColor: 'var(--quern-surface-raised)',
    boxShadow: 'var(--mantine-shadow-md)',
  },
});
