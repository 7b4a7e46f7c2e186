import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { MergeView } from '@codemirror/merge';
import type { Extension, Text } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { EditorWorkspace } from '../workspace/workspace.ts';
import { createTextExtensions, describeAccess, describeScheme } from './extensions.ts';
import classes from './text.module.css';

interface MergeEditorProps {
  readonly workspace: EditorWorkspace;
  /** The tab. */
  readonly id: number;
  /** The text of the other user. */
  readonly theirs: Text;
  /** The support of their language. */
  readonly support: Extension;
}

/** How long and how far to search for the smallest difference of long texts. */
const DIFFERENCE = { scanLimit: 2_000, timeout: 500 };

/** Two texts side by side: the other user's, and the text of the tab, which takes over each change at once. */
export function MergeEditor({ workspace, id, theirs, support }: MergeEditorProps) {
  const container = useRef<HTMLDivElement>(null);
  const isDark = useComputedColorScheme('light') === 'dark';
  useEffect(() => {
    const mine = workspace.getState(id);
    if (container.current === null || mine === undefined) return;
    const common = [createTextExtensions(), mergeTheme, support, describeScheme(isDark)];
    const view = new MergeView({
      parent: container.current,
      a: { doc: theirs, extensions: [common, describeAccess('Text of the other user', true)] },
      b: {
        doc: mine.doc,
        extensions: [
          common,
          describeAccess('Your text', false),
          history(),
          keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
          EditorView.updateListener.of(({ docChanged, changes }) => {
            if (docChanged) workspace.dispatch(id, { changes });
          }),
        ],
      },
      revertControls: 'a-to-b',
      renderRevertControl: createTakeButton,
      collapseUnchanged: { margin: 3, minSize: 6 },
      diffConfig: DIFFERENCE,
    });
    view.b.focus();
    return () => view.destroy();
  }, [workspace, id, theirs, support, isDark]);
  return <div ref={container} className={classes.merge} />;
}

/** The button that takes over a change of the other user. */
function createTakeButton(): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = '→';
  button.title = 'Take this change of the other user';
  button.setAttribute('aria-label', button.title);
  return button;
}

const THEIRS = 'light-dark(rgb(38 115 223 / 10%), rgb(38 115 223 / 22%))';
const MINE = 'light-dark(rgb(23 112 47 / 10%), rgb(72 198 168 / 16%))';

/** The look of two texts side by side. */
const mergeTheme = EditorView.theme({
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
