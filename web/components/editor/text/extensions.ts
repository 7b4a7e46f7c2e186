import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentUnit } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
} from '@codemirror/view';
import { nonce } from '../../../api/nonce.ts';
import { createFindPanel } from './find-panel.ts';
import { keepCaretInView } from './keep-caret.ts';
import { runErrors } from './run-errors.ts';
import { theme } from './theme.ts';

/** What changes while a text is open: its name for screen readers, and whether it can be changed. */
export const access = new Compartment();
export const language = new Compartment();
export const scheme = new Compartment();

/** Ctrl/⌘ Enter runs the text. */
const EDIT_KEYS = defaultKeymap.filter(({ key }) => key !== 'Mod-Enter');

/**
 * Replaces a selection by a typed character. The browser would give it the style of the replaced text with a `style`
 * attribute, which the content policy blocks and reports.
 */
const replaceByTyping = EditorView.domEventHandlers({
  beforeinput: ({ inputType, data, isComposing }, view) => {
    const { state } = view;
    const { from, to, empty } = state.selection.main;
    if (inputType !== 'insertText' || data === null || isComposing || empty || state.readOnly) return false;
    const insert = () =>
      state.update(state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    const isHandled = state
      .facet(EditorView.inputHandler)
      .some((handle) => handle(view, from, to, data, insert));
    if (!isHandled) view.dispatch(insert());
    return true;
  },
});

/** What every text of the page has, in a tab and in the merge view. */
export function createTextExtensions(): Extension {
  return [
    EditorView.cspNonce.of(nonce),
    theme,
    lineNumbers(),
    highlightSpecialChars(),
    drawSelection(),
    replaceByTyping,
    EditorState.tabSize.of(4),
    indentUnit.of('    '),
    search({ createPanel: createFindPanel, literal: true }),
    scheme.of([]),
  ];
}

/** What the text of a tab has. */
export function createExtensions(): Extension {
  return [
    createTextExtensions(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    history(),
    dropCursor(),
    rectangularSelection(),
    EditorState.allowMultipleSelections.of(true),
    bracketMatching(),
    highlightSelectionMatches(),
    keymap.of([...EDIT_KEYS, ...historyKeymap, ...searchKeymap, indentWithTab]),
    runErrors,
    keepCaretInView,
    access.of([]),
    language.of([]),
  ];
}

/** The name of a text for screen readers, and whether it can be changed. */
export function describeAccess(label: string, isReadOnly: boolean): Extension {
  return [
    EditorState.readOnly.of(isReadOnly),
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-readonly': String(isReadOnly),
      // The Tab key indents.
      'aria-description': 'Press Escape and then Tab to leave the text',
      tabindex: '0',
      spellcheck: 'false',
      autocapitalize: 'off',
      autocorrect: 'off',
    }),
  ];
}

/** Whether the page is dark. */
export function describeScheme(isDark: boolean): Extension {
  return EditorView.darkTheme.of(isDark);
}
