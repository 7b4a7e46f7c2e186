import type { Extension, Text } from '@codemirror/state';
import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { levelQuery } from '../../api/catalog/catalog.ts';
import { saveScript } from '../../api/editor/save-script.ts';
import { mayCreate } from '../../api/session.ts';
import { useStore } from '../../api/store.ts';
import { useSession } from '../../api/use-session.ts';
import { quernLanguage } from '../../language/quern-language.ts';
import { SavedBy } from '../catalog/history/saved-by.tsx';
import { CatalogLink } from '../catalog/item/catalog-link.tsx';
import { ItemName } from '../catalog/item/item-name.tsx';
import { notify } from '../notify.ts';
import { SHORTCUTS } from '../shortcuts/shortcuts.ts';
import { TimeText } from '../time-text.tsx';
import classes from './editor.module.css';
import { MergePane } from './merge-pane.tsx';
import { RunBar } from './run/run-bar.tsx';
import { type TextRunner, useRunner } from './run/use-runner.ts';
import { SaveAsDialog } from './save-as-dialog.tsx';
import { Strip } from './strip.tsx';
import { TextAndResults } from './text-and-results.tsx';
import { useSaveAgain } from './use-save-again.ts';
import { getTitle, isQuery, isScript, type Tab } from './workspace/tab.ts';
import type { EditorWorkspace } from './workspace/workspace.ts';

const route = getRouteApi('/signed-in/sql/$');

const SCRIPT = quernLanguage({ kind: 'script' });
const NO_LANGUAGE: Extension = [];

interface TextPaneProps {
  readonly workspace: EditorWorkspace;
  readonly tab: Tab;
  /** Why the text cannot be changed; null if it can. */
  readonly lock: string | null;
}

/** The text of a tab with its actions, and the results of its last run. */
export function TextPane({ workspace, tab, lock }: TextPaneProps) {
  const [isNaming, setNaming] = useState(false);
  const navigate = useNavigate();
  const saveScript = useSave(workspace);
  const runner = useRunner(workspace, tab);
  const isReadOnly = lock !== null;
  const { user } = useSession();
  const save = () => {
    if (isReadOnly || !mayCreate(user)) return;
    if (isQuery(tab.key) || tab.isGone) setNaming(true);
    else if (tab.isChanged || tab.isMerging) saveScript(tab);
  };
  useHotkeys([[SHORTCUTS.save.keys, save]], [], true);
  useLine(workspace, tab.id);
  useTarget(workspace, isScript(tab.key) ? runner : null, isReadOnly);
  const saveAs = mayCreate(user) ? () => setNaming(true) : null;
  useSaveAgain({
    saveError: tab.saveError,
    save,
    forget: () => workspace.setSaving(tab.id, false),
  });
  const isMerging = tab.isMerging && tab.newer !== null;
  const tools = <Tools tab={tab} isReadOnly={isReadOnly} onSave={save} onSaveAs={saveAs} />;
  return (
    <>
      <title>{`${getTitle(tab)} · Quern`}</title>
      <div className={classes.tools}>
        {isScript(tab.key) && !isMerging ? (
          <RunBar workspace={workspace} tab={tab} runner={runner}>
            {tools}
          </RunBar>
        ) : (
          tools
        )}
      </div>
      {isMerging && tab.newer !== null ? (
        <MergePane
          workspace={workspace}
          tab={tab}
          newer={tab.newer}
          support={isScript(tab.key) ? SCRIPT : NO_LANGUAGE}
          onSave={save}
        />
      ) : (
        <>
          <Notices {...{ workspace, tab, lock }} onSave={save} onSaveAs={saveAs} />
          <TextAndResults workspace={workspace} tab={tab} runner={runner} isReadOnly={isReadOnly} />
        </>
      )}
      {isNaming && (
        <SaveAsDialog
          workspace={workspace}
          tab={tab}
          onClose={() => setNaming(false)}
          onDone={(path) => {
            setNaming(false);
            void navigate({ to: '/sql/$', params: { _splat: path }, replace: true });
          }}
        />
      )}
    </>
  );
}

/** Tells the left panel what the shown text runs on. */
function useTarget(workspace: EditorWorkspace, runner: TextRunner | null, isReadOnly: boolean): void {
  const chosen = runner?.connection.name || runner?.connection.project || null;
  const dialect = runner?.dialect ?? null;
  useEffect(() => {
    if (dialect === null) return;
    workspace.target.set({ connection: chosen, dialect, isReadOnly });
    return () => workspace.target.set(null);
  }, [workspace, chosen, dialect, isReadOnly]);
}

/** Moves the cursor to the line of the address, once. */
function useLine(workspace: EditorWorkspace, id: number): void {
  const { line } = route.useSearch();
  const navigate = route.useNavigate();
  useEffect(() => {
    if (line === undefined) return;
    workspace.goTo(id, line, 1);
    void navigate({ search: {}, replace: true });
  }, [workspace, id, line, navigate]);
}

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
function useSave(workspace: EditorWorkspace): (tab: Tab) => void {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: ({ tab: { key: path }, etag, content }: Saving) =>
      saveScript(client, { path, etag, content }),
    onMutate: ({ tab: { id } }) => workspace.setSaving(id, true),
    onError: (error, { tab: { id } }) => workspace.setSaving(id, false, error),
    onSuccess: (outcome, { tab: { id, key }, doc }) => {
      workspace.setSaving(id, false);
      if (outcome.kind === 'gone') workspace.lose(id);
      if (outcome.kind === 'locked') void client.invalidateQueries(levelQuery(key));
      if (outcome.kind === 'conflict') workspace.startMerge(id, outcome.item);
      if (outcome.kind !== 'saved') return;
      workspace.settle(id, outcome.item, doc);
      notify(`Saved ${getTitle({ key })}`);
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

interface ToolsProps {
  readonly tab: Tab;
  readonly isReadOnly: boolean;
  readonly onSave: () => void;
  /** Null for a person who may not create anything. */
  readonly onSaveAs: (() => void) | null;
}

/** In the bar above a text: its place, and what saves it. */
function Tools({ tab, isReadOnly, onSave, onSaveAs }: ToolsProps) {
  const isOwn = isQuery(tab.key);
  return (
    <>
      <div className={classes.path}>
        {isOwn ? (
          <span>Only in this browser</span>
        ) : (
          <CatalogLink path={tab.key} className={classes.place}>
            <ItemName name={tab.key} />
          </CatalogLink>
        )}
      </div>
      {!isReadOnly && !isOwn && !tab.isMerging && (
        <Button
          size="xs"
          variant="default"
          disabled={!tab.isChanged || tab.isGone}
          loading={tab.isSaving}
          onClick={onSave}
        >
          Save
        </Button>
      )}
      {!isReadOnly && !tab.isMerging && onSaveAs !== null && (
        <Button size="xs" variant="default" onClick={onSaveAs}>
          Save as…
        </Button>
      )}
    </>
  );
}

interface NoticesProps extends TextPaneProps, Pick<ToolsProps, 'onSave' | 'onSaveAs'> {}

/** What the person needs to know about the text of a tab. */
function Notices(props: NoticesProps) {
  const { workspace, tab, lock, onSave, onSaveAs } = props;
  const keepError = useStore(workspace.keeper.error);
  const isElsewhere = useStore(workspace.elsewhere.keys).has(tab.key);
  const saveAs = onSaveAs === null ? [] : [{ label: 'Save as…', onClick: onSaveAs }];
  return (
    <>
      {lock !== null && (
        <Strip kind="info" actions={tab.isGone ? [] : saveAs}>
          {lock}
        </Strip>
      )}
      {tab.isGone && (
        <Strip kind="danger" isUrgent actions={saveAs}>
          This script does not exist any more at its path: someone has deleted, moved or renamed it, or a
          permission has changed. Your text is still here.
        </Strip>
      )}
      {tab.saveError !== null && lock === null && (
        <Strip kind="danger" isUrgent actions={[{ label: 'Try again', onClick: onSave }, ...saveAs]}>
          The script was not saved, and your text is still here. {tab.saveError.message}
        </Strip>
      )}
      <OtherTexts workspace={workspace} tab={tab} />
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
function OtherTexts({ workspace, tab }: Pick<NoticesProps, 'workspace' | 'tab'>) {
  const { id, restoredAt, newer, isGone } = tab;
  const discard = { label: 'Discard my changes', onClick: () => workspace.discard(id) };
  if (isGone) return null;
  if (newer !== null) {
    const merge = { label: 'Compare and merge', onClick: () => workspace.startMerge(id, newer) };
    return (
      <Strip kind="warning" isUrgent actions={[merge, discard]}>
        <SavedBy item={newer} />. Your changes are not in it.
      </Strip>
    );
  }
  if (restoredAt === null) return null;
  const keep = { label: 'Keep them', onClick: () => workspace.keepRestored(id) };
  return (
    <Strip kind="warning" actions={[keep, discard]}>
      Your unsaved changes are back. The browser kept them <TimeText value={restoredAt} isRelative />.
    </Strip>
  );
}
