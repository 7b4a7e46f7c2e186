import { EditorView } from '@codemirror/view';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { runQuery } from '../../../api/runs/run.ts';
import { findOffset, showRunErrors } from '../text/run-errors.ts';
import type { Tab } from '../workspace/tab.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { printPlace } from './place.ts';

/** Underlines the errors of a tab's last run in its text, and shows the first one. */
export function useRunErrors(workspace: Workspace, { id, key, runId }: Tab): void {
  const { data } = useQuery({ ...runQuery(runId ?? ''), enabled: runId !== null });
  const diagnostics = data?.execution.error?.diagnostics;
  useEffect(() => {
    const doc = workspace.getState(id)?.doc;
    const own = diagnostics?.filter(({ file }) => file === printPlace(key)) ?? [];
    const [first] = own;
    if (doc === undefined || first === undefined) return;
    const offset = findOffset(doc, first.line ?? 0, first.column ?? 0);
    const effects = offset === null ? [] : [EditorView.scrollIntoView(offset, { y: 'nearest' })];
    workspace.dispatch(id, { effects: [showRunErrors.of(own), ...effects] });
  }, [workspace, id, key, diagnostics]);
}
