import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import type { ChangeSet, Extension, Text } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { createTextExtensions, describeAccess, describeScheme } from './extensions.ts';
import classes from './text.module.css';

/** One of two texts. */
export interface ComparedText {
  /** For screen readers. */
  readonly label: string;
  /** The text when the comparison is drawn. */
  readonly read: () => Text;
}

interface DifferencesProps {
  readonly before: ComparedText;
  readonly after: ComparedText;
  /** The colours or the support of their language. */
  readonly support: Extension;
  /** Whether both texts are in one column. */
  readonly isNarrow?: boolean;
  /** Whether lines that are the same are folded. */
  readonly isFolded?: boolean;
  /** Receives each change of the second text, which is read-only without it. */
  readonly onChange?: (changes: ChangeSet) => void;
}

/**
 * The differences of two texts, with unchanged lines folded. Each property must stay the same, or the comparison is drawn
 * again.
 */
export function Differences(props: DifferencesProps) {
  const { before, after, support, isNarrow = false, isFolded = true, onChange } = props;
  const container = useRef<HTMLElement>(null);
  const isDark = useComputedColorScheme('light') === 'dark';
  useEffect(() => {
    const parent = container.current;
    if (parent === null) return;
    const common = [createTextExtensions(), mergeTheme, support, describeScheme(isDark)];
    const config = isFolded ? { ...DIFFERENCE, collapseUnchanged: FOLDS } : DIFFERENCE;
    const view = isNarrow
      ? drawOneColumn({ parent, before, after, common, config })
      : drawBoth({ parent, before, after, common, config, onChange });
    return () => view.destroy();
  }, [before, after, support, isNarrow, isFolded, onChange, isDark]);
  return <section ref={container} className={classes.merge} aria-label="Differences" />;
}

/** How long and how far to search for the smallest difference of long texts. */
const DIFFERENCE = { diffConfig: { scanLimit: 2_000, timeout: 500 } };
const FOLDS = { margin: 3, minSize: 6 };

interface Drawing extends Pick<DifferencesProps, 'before' | 'after'> {
  readonly parent: HTMLElement;
  readonly common: Extension;
  readonly config: typeof DIFFERENCE & { readonly collapseUnchanged?: typeof FOLDS };
}

/** One text, in which removed lines are above the added ones. */
function drawOneColumn({ parent, before, after, common, config }: Drawing): EditorView {
  return new EditorView({
    parent,
    doc: after.read(),
    extensions: [
      common,
      describeAccess(after.label, true),
      unifiedMergeView({ ...config, original: before.read(), mergeControls: false }),
    ],
  });
}

/** Both texts side by side; the second one takes over changes of the first if it can be changed. */
function drawBoth(drawing: Drawing & { readonly onChange: DifferencesProps['onChange'] }): MergeView {
  const { parent, before, after, common, config, onChange } = drawing;
  const isReadOnly = onChange === undefined;
  const view = new MergeView({
    parent,
    a: { doc: before.read(), extensions: [common, describeAccess(before.label, true)] },
    b: {
      doc: after.read(),
      extensions: [common, describeAccess(after.label, isReadOnly), isReadOnly ? [] : edit(onChange)],
    },
    ...config,
    ...(isReadOnly ? {} : { revertControls: 'a-to-b', renderRevertControl: createTakeButton }),
  });
  if (!isReadOnly) view.b.focus();
  return view;
}

/** What a text has that can be changed. */
function edit(onChange: (changes: ChangeSet) => void): Extension {
  return [
    history(),
    keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
    EditorView.updateListener.of(({ docChanged, changes }) => {
      if (docChanged) onChange(changes);
    }),
  ];
}

/** The button that takes over a change of the first text. */
function createTakeButton(): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = '→';
  button.title = 'Take this change of the other user';
  button.setAttribute('aria-label', button.title);
  return button;
}

const BEFORE = 'light-dark(rgb(38 115 223 / 10%), rgb(38 115 223 / 22%))';
const AFTER = 'light-dark(rgb(23 112 47 / 10%), rgb(72 198 168 / 16%))';

/** The look of two texts. */
const mergeTheme = EditorView.theme({
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: BEFORE },
  '&.cm-merge-b .cm-changedLine, &.cm-merge-b .cm-inlineChangedLine': { backgroundColor: AFTER },
  // Underlined: a stronger background would make the colours of the syntax hard to read.
  '&.cm-merge-a .cm-changedText, & .cm-deletedChunk .cm-deletedText': {
    background: 'none',
    boxShadow: 'inset 0 -2px var(--quern-info-text)',
  },
  '&.cm-merge-b .cm-changedText': {
    background: 'none',
    boxShadow: 'inset 0 -2px var(--quern-success-text)',
  },
  '&.cm-merge-a .cm-changedLineGutter, & .cm-deletedLineGutter': { background: 'var(--quern-info-text)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--quern-success-text)' },
  '.cm-collapsedLines': {
    color: 'var(--quern-text-muted)',
    background: 'var(--quern-surface-sunken)',
    padding: '4px 12px',
  },
  // Many fonts do not have the character around the number of lines.
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: 'none' },
});
