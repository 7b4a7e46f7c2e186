import type { Text } from '@codemirror/state';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { saveScript } from '../../api/editor/save-script.ts';
import { notify } from '../notify.ts';
import { getTitle, type Tab } from './workspace/tab.ts';
import type { Workspace } from './workspace/workspace.ts';

interface Saving {
  readonly tab: Tab;
  readonly doc: Text;
  readonly etag: string;
  readonly content: string;
}

/**
 * Returns a function that saves the text of a script: over the revision that it is based on, or over the newer one that
 * the person has merged with it. Text that the person types during the request stays unsaved.
 */
export function useSave(workspace: Workspace): (tab: Tab) => void {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: ({ tab: { key: path }, etag, content }: Saving) =>
      saveScript(client, { path, etag, content }),
    onMutate: ({ tab: { id } }) => workspace.setSaving(id, true),
    onError: (error, { tab: { id } }) => workspace.setSaving(id, false, error),
    onSuccess: (outcome, { tab: { id, key }, doc }) => {
      workspace.setSaving(id, false);
      if (outcome.kind === 'gone') workspace.lose(id);
      if (outcome.kind === 'conflict') workspace.startMerge(id, outcome.item);
      if (outcome.kind !== 'saved') return;
      workspace.settle(id, outcome.item, doc);
      notify(`Saved ${getTitle(key)}`);
    },
  });
  return (tab) => {
    const doc = workspace.getState(tab.id)?.doc;
    const merged = tab.isMerging ? tab.newer : null;
    const etag = merged?.etag ?? tab.base?.etag;
    if (doc === undefined || etag === undefined || tab.isSaving) return;
    mutate({ tab, doc, etag, content: workspace.print(tab.id) });
  };
}
