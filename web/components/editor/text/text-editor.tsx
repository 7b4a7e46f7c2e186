import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { EditorWorkspace } from '../workspace/workspace.ts';
import { access, describeAccess, describeScheme, language, scheme } from './extensions.ts';
import classes from './text.module.css';

interface TextEditorProps {
  readonly workspace: EditorWorkspace;
  /** The tab. */
  readonly id: number;
  /** The name for screen readers. */
  readonly label: string;
  readonly isReadOnly: boolean;
  /** The support of its language. */
  readonly support: Extension;
}

/** The text of a tab. An empty text takes the focus. */
export function TextEditor({ workspace, id, label, isReadOnly, support }: TextEditorProps) {
  const container = useRef<HTMLDivElement>(null);
  const isDark = useComputedColorScheme('light') === 'dark';
  useEffect(() => {
    const state = workspace.getState(id);
    if (container.current === null || state === undefined) return;
    const view = new EditorView({
      state,
      parent: container.current,
      dispatchTransactions: (transactions, editor) => {
        editor.update(transactions);
        workspace.accept(id, editor.state);
      },
    });
    workspace.show(id, view);
    view.dispatch({ effects: EditorView.scrollIntoView(state.selection.main, { y: 'center' }) });
    if (state.doc.length === 0) view.focus();
    return () => {
      workspace.show(id, null);
      view.destroy();
    };
  }, [workspace, id]);
  useEffect(() => {
    const effects = [
      access.reconfigure(describeAccess(label, isReadOnly)),
      scheme.reconfigure(describeScheme(isDark)),
    ];
    workspace.dispatch(id, { effects });
  }, [workspace, id, label, isReadOnly, isDark]);
  useEffect(
    () => workspace.dispatch(id, { effects: language.reconfigure(support) }),
    [workspace, id, support],
  );
  return <div ref={container} className={classes.place} />;
}
