import { type ChangeSet, type Extension, Text } from '@codemirror/state';
import { Button, Group } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import type { CatalogItem } from '../../api/catalog/catalog.ts';
import { SavedBy } from '../catalog/history/saved-by.tsx';
import { ErrorAlert } from '../error-alert.tsx';
import { SkeletonRows } from '../skeleton-rows.tsx';
import { usePart } from '../use-part.ts';
import classes from './editor.module.css';
import { Strip } from './strip.tsx';
import { type Tab, toBase } from './workspace/tab.ts';
import type { EditorWorkspace } from './workspace/workspace.ts';

const loadDifferences = () => import('./text/differences.tsx');

interface MergePaneProps {
  readonly workspace: EditorWorkspace;
  readonly tab: Tab;
  /** The revision of the other user. */
  readonly newer: CatalogItem;
  /** The support of the language of the text. */
  readonly support: Extension;
  readonly onSave: () => void;
}

/** The newer revision of another user and the text of a tab, side by side; the person merges them, and saves. */
export function MergePane({ workspace, tab, newer, support, onSave }: MergePaneProps) {
  const { part, error, retry } = usePart(loadDifferences);
  const { id } = tab;
  const theirs = useMemo(() => {
    const { doc } = toBase(newer);
    return { label: 'Text of the other user', read: () => doc };
  }, [newer]);
  const mine = useMemo(
    () => ({ label: 'Your text', read: () => workspace.getState(id)?.doc ?? Text.empty }),
    [workspace, id],
  );
  const change = useCallback((changes: ChangeSet) => workspace.dispatch(id, { changes }), [workspace, id]);
  return (
    <>
      <Strip kind="warning" isUrgent>
        <SavedBy item={newer} />. Nothing was overwritten. Merge it into your text on the right, then save.
      </Strip>
      {tab.saveError !== null && <ErrorAlert title="The script was not saved" error={tab.saveError} />}
      <div className={classes.sides}>
        <span>Their text</span>
        <Group justify="space-between" wrap="nowrap">
          <span>Your text</span>
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={() => workspace.stopMerge(id)}>
              Back to your text
            </Button>
            <Button size="xs" loading={tab.isSaving} onClick={onSave}>
              Save the merged text
            </Button>
          </Group>
        </Group>
      </div>
      {part !== null && <part.Differences before={theirs} after={mine} support={support} onChange={change} />}
      {part === null && error === null && <SkeletonRows label="Loading both texts" count={8} height={20} />}
      {error !== null && <ErrorAlert title="The texts cannot be compared" error={error} onRetry={retry} />}
    </>
  );
}
