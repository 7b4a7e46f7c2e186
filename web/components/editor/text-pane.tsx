import type { Extension } from '@codemirror/state';
import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { quernLanguage } from '../../language/quern-language.ts';
import { CatalogLink } from '../catalog/item/catalog-link.tsx';
import { ItemName } from '../catalog/item/item-name.tsx';
import classes from './editor.module.css';
import { MergePane } from './merge-pane.tsx';
import { Notices } from './notices.tsx';
import { SaveAsDialog } from './save-as-dialog.tsx';
import { Strip } from './strip.tsx';
import { TextEditor } from './text/text-editor.tsx';
import { useSave } from './use-save.ts';
import { getTitle, isQuery, isScript, type Tab } from './workspace/tab.ts';
import type { Workspace } from './workspace/workspace.ts';

const SCRIPT = quernLanguage({ kind: 'script' });
const NO_LANGUAGE: Extension = [];

interface TextPaneProps {
  readonly workspace: Workspace;
  readonly tab: Tab;
  /** Why the text cannot be changed; null if it can. */
  readonly lock: string | null;
  /** Whether the window is too narrow to edit. */
  readonly isNarrow: boolean;
}

/** The text of a tab with its actions. */
export function TextPane({ workspace, tab, lock, isNarrow }: TextPaneProps) {
  const [isNaming, setNaming] = useState(false);
  const navigate = useNavigate();
  const saveScript = useSave(workspace);
  const isReadOnly = lock !== null || isNarrow;
  const save = () => {
    if (isReadOnly) return;
    if (isQuery(tab.key) || tab.isGone) setNaming(true);
    else if (tab.isChanged || tab.isMerging) saveScript(tab);
  };
  useHotkeys([['mod+S', save]], [], true);
  const title = getTitle(tab.key);
  return (
    <>
      <title>{`${title} · Quern`}</title>
      <Tools tab={tab} isReadOnly={isReadOnly} onSave={save} onSaveAs={() => setNaming(true)} />
      {isNarrow && lock === null && (
        <Strip kind="info">The window is too narrow to edit: the text is read-only.</Strip>
      )}
      {tab.isMerging && tab.newer !== null && !isNarrow ? (
        <MergePane workspace={workspace} tab={tab} newer={tab.newer} onSave={save} />
      ) : (
        <>
          <Notices
            workspace={workspace}
            tab={tab}
            lock={lock}
            isNarrow={isNarrow}
            onSave={save}
            onSaveAs={() => setNaming(true)}
          />
          <TextEditor
            key={tab.id}
            workspace={workspace}
            id={tab.id}
            label={`Text of ${title}`}
            isReadOnly={isReadOnly}
            support={isScript(tab.key) ? SCRIPT : NO_LANGUAGE}
          />
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

interface ToolsProps {
  readonly tab: Tab;
  readonly isReadOnly: boolean;
  readonly onSave: () => void;
  readonly onSaveAs: () => void;
}

function Tools({ tab, isReadOnly, onSave, onSaveAs }: ToolsProps) {
  const isOwn = isQuery(tab.key);
  return (
    <div className={classes.tools}>
      <div className={classes.path}>
        {isOwn ? (
          'Only in this browser'
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
      {!isReadOnly && !tab.isMerging && (
        <Button size="xs" variant="default" onClick={onSaveAs}>
          Save as…
        </Button>
      )}
    </div>
  );
}
