/**
 * Opens a new query with a text in the editor, whose code is loaded for it, and returns its name. With a run, it opens
 * the query that had this run if there is one, and shows the run below the text.
 */
export async function openQuery(user: string, content: string, runId?: string): Promise<string> {
  const [{ openWorkspace }, { toDoc }] = await Promise.all([
    import('../editor/workspace/workspace.ts'),
    import('../editor/workspace/tab.ts'),
  ]);
  const workspace = await openWorkspace(user);
  const known = workspace.tabs.get().find((tab) => runId !== undefined && tab.runId === runId);
  if (known !== undefined) return known.key;
  const key = workspace.openQuery();
  const tab = workspace.tabs.get().find((candidate) => candidate.key === key);
  if (tab === undefined) return key;
  workspace.dispatch(tab.id, { changes: { from: 0, insert: content } });
  if (runId !== undefined) workspace.setRun(tab.id, runId, toDoc(content));
  return key;
}
