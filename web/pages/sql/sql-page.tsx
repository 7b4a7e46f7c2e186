import { Button, VisuallyHidden } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { use, useCallback, useEffect, useState } from 'react';
import { findWhetherLive } from '../../api/runs/run.ts';
import { useStore } from '../../api/store.ts';
import { useUnsaved } from '../../api/unsaved.ts';
import { useSession } from '../../api/use-session.ts';
import { CloseDialog } from '../../components/editor/close-dialog.tsx';
import classes from '../../components/editor/editor.module.css';
import { ScriptPane } from '../../components/editor/script-pane.tsx';
import { TablesPanel } from '../../components/editor/tables/tables-panel.tsx';
import { TabStrip } from '../../components/editor/tabs/tab-strip.tsx';
import { TextPane } from '../../components/editor/text-pane.tsx';
import { isQuery, type Tab } from '../../components/editor/workspace/tab.ts';
import { type EditorWorkspace, openWorkspace } from '../../components/editor/workspace/workspace.ts';
import { DocumentIcon } from '../../components/icons.tsx';
import { MessagePart } from '../../components/message-page.tsx';
import { notifyNote } from '../../components/notify.ts';
import { PanelPage } from '../../components/panel/panel-page.tsx';
import { SideFrame } from '../../components/results/side/side-frame.tsx';

const route = getRouteApi('/signed-in/sql/$');

/** The editor: the open texts as tabs, and the one of the address. */
export function SqlPage() {
  const { user } = useSession();
  const workspace = use(openWorkspace(user.user_name));
  const { _splat: key = '' } = route.useParams();
  const { reopen: isReopening } = route.useSearch();
  const tabs = useStore(workspace.tabs);
  const keepError = useStore(workspace.keeper.error);
  const [closing, setClosing] = useState<Closing | null>(null);
  const client = useQueryClient();
  const show = useShow();
  useUnsaved(
    tabs.some(({ isChanged }) => isChanged),
    keepError === null,
  );
  const reopen = useReopen(workspace);
  useAddress(workspace, key, isReopening === 1 ? reopen : null);
  useGivenRun(workspace, key);
  const close = (tab: Tab) => {
    setClosing(null);
    const next = workspace.close(tab.id);
    if (tab.key === key) show(next ?? workspace.openQuery(), true);
  };
  const askToClose = async (tab: Tab) => {
    const isRunning = tab.runId !== null && (await findWhetherLive(client, tab.runId));
    if (tab.isChanged || isRunning) setClosing({ tab, isRunning });
    else close(tab);
  };
  return (
    <PanelPage
      id="sql"
      label="Tables"
      openLabel="Tables"
      renderPanel={(close) => <TablesPanel workspace={workspace} onShow={show} onChosen={close} />}
    >
      <SideFrame>
        <div className={classes.page} data-pane>
          <VisuallyHidden component="h1">SQL</VisuallyHidden>
          <TabStrip
            workspace={workspace}
            tabs={tabs}
            active={key}
            onClose={(tab) => void askToClose(tab)}
            onNew={() => show(workspace.openQuery())}
            onReopen={() => reopen()}
          />
          <Pane workspace={workspace} tab={tabs.find((tab) => tab.key === key)} address={key} />
        </div>
      </SideFrame>
      {closing !== null && (
        <CloseDialog
          workspace={workspace}
          {...closing}
          onStay={() => setClosing(null)}
          onClose={() => close(closing.tab)}
        />
      )}
    </PanelPage>
  );
}

/** A tab that is about to be closed. */
interface Closing {
  readonly tab: Tab;
  readonly isRunning: boolean;
}

interface PaneProps {
  readonly workspace: EditorWorkspace;
  readonly tab: Tab | undefined;
  readonly address: string;
}

function Pane({ workspace, tab, address }: PaneProps) {
  if (tab === undefined) return isOpened(address) ? null : <NoQuery workspace={workspace} />;
  const Kind = isQuery(tab.key) ? QueryPane : ScriptPane;
  return <Kind key={tab.id} workspace={workspace} tab={tab} />;
}

function QueryPane(props: { readonly workspace: EditorWorkspace; readonly tab: Tab }) {
  return <TextPane {...props} lock={null} />;
}

/** The address of a query that this tab of the browser does not have. */
function NoQuery({ workspace }: { readonly workspace: EditorWorkspace }) {
  const show = useShow();
  return (
    <MessagePart
      icon={<DocumentIcon size={24} />}
      title="There is no such query"
      text="A query exists only in the tab of the browser in which it was written, until it is saved as a script."
    >
      <title>Not found · Quern</title>
      <Button variant="default" onClick={() => show(workspace.openQuery(), true)}>
        New query
      </Button>
    </MessagePart>
  );
}

/** Whether the page opens a tab for an address by itself. */
function isOpened(address: string): boolean {
  return address === '' || address.startsWith('@');
}

/** Returns a function that opens the text that was closed last, or says that the browser keeps no closed text. */
function useReopen(workspace: EditorWorkspace): (replace?: boolean) => void {
  const show = useShow();
  return useCallback(
    (replace = false) => {
      const key = workspace.reopen();
      if (key === null) notifyNote('This browser keeps no closed text');
      if (key !== null || replace) show(key ?? workspace.active ?? workspace.openQuery(), replace);
    },
    [workspace, show],
  );
}

/**
 * Opens the tab of the address; without one, the last shown tab, or a new query. An address that reopens a closed text is
 * replaced by that of the text.
 */
function useAddress(
  workspace: EditorWorkspace,
  key: string,
  reopen: ((replace: boolean) => void) | null,
): void {
  const show = useShow();
  useEffect(() => {
    if (reopen !== null) return reopen(true);
    if (key === '') show(workspace.active ?? workspace.openQuery(), true);
    else if (isOpened(key)) workspace.open(key);
    if (key !== '') workspace.active = key;
  }, [workspace, key, show, reopen]);
}

/** Shows the run of the address below the text, once: later runs take its place. */
function useGivenRun(workspace: EditorWorkspace, key: string): void {
  const { run } = route.useSearch();
  const navigate = route.useNavigate();
  useEffect(() => {
    if (run === undefined || !isOpened(key) || key === '') return;
    workspace.open(key);
    const tab = workspace.tabs.get().find((candidate) => candidate.key === key);
    if (tab !== undefined) workspace.setRun(tab.id, run, null);
    void navigate({ search: (before) => ({ ...before, run: undefined }), replace: true });
  }, [workspace, key, run, navigate]);
}

/** Returns a function that shows a tab. */
function useShow(): (key: string, replace?: boolean) => void {
  const navigate = useNavigate();
  return useCallback(
    (key, replace = false) => void navigate({ to: '/sql/$', params: { _splat: key }, replace }),
    [navigate],
  );
}
