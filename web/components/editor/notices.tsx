import { useStore } from '../../api/store.ts';
import { TimeText } from '../time-text.tsx';
import { Strip } from './strip.tsx';
import type { Tab } from './workspace/tab.ts';
import type { EditorWorkspace } from './workspace/workspace.ts';

interface NoticesProps {
  readonly workspace: EditorWorkspace;
  readonly tab: Tab;
  /** Why the text cannot be changed; null if it can. */
  readonly lock: string | null;
  /** Whether the window is too narrow to edit. */
  readonly isNarrow: boolean;
  readonly onSave: () => void;
  readonly onSaveAs: () => void;
}

/** What the person needs to know about the text of a tab. */
export function Notices(props: NoticesProps) {
  const { workspace, tab, lock, isNarrow, onSave, onSaveAs } = props;
  const keepError = useStore(workspace.keeper.error);
  const isElsewhere = useStore(workspace.elsewhere.keys).has(tab.key);
  const saveAs = { label: 'Save as…', onClick: onSaveAs };
  return (
    <>
      {lock !== null && (
        <Strip kind="info" actions={tab.isGone ? [] : [saveAs]}>
          {lock}
        </Strip>
      )}
      {tab.isGone && (
        <Strip kind="danger" isUrgent actions={[saveAs]}>
          This script does not exist any more at its path: someone has deleted, moved or renamed it, or a
          permission has changed. Your text is still here.
        </Strip>
      )}
      {tab.saveError !== null && (
        <Strip kind="danger" isUrgent actions={[{ label: 'Try again', onClick: onSave }, saveAs]}>
          The script was not saved, and your text is still here. {tab.saveError.message}
        </Strip>
      )}
      <Differences workspace={workspace} tab={tab} isNarrow={isNarrow} />
      {isElsewhere && (
        <Strip kind="warning">
          Another tab of this browser has changes of this script that are not saved.
        </Strip>
      )}
      {keepError !== null && tab.isChanged && (
        <Strip kind="warning">
          Save your text: the browser does not keep it for a reload. {keepError.message}
        </Strip>
      )}
    </>
  );
}

/** A text that is back after a reload, and a newer revision. */
function Differences({ workspace, tab, isNarrow }: Pick<NoticesProps, 'workspace' | 'tab' | 'isNarrow'>) {
  const { id, restoredAt, newer, isGone } = tab;
  const discard = { label: 'Discard my changes', onClick: () => workspace.discard(id) };
  if (isGone) return null;
  if (newer !== null) {
    const merge = { label: 'Compare and merge', onClick: () => workspace.startMerge(id, newer) };
    return (
      <Strip kind="warning" isUrgent actions={isNarrow ? [] : [merge, discard]}>
        Someone else has saved a newer revision of this script. Your changes are not in it.
      </Strip>
    );
  }
  if (restoredAt === null) return null;
  const keep = { label: 'Keep them', onClick: () => workspace.keepRestored(id) };
  return (
    <Strip kind="warning" actions={isNarrow ? [] : [keep, discard]}>
      Your unsaved changes are back. The browser kept them <TimeText value={restoredAt} isRelative />.
    </Strip>
  );
}
