import { Center, Loader, Modal } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { type CatalogItem, type Entry, itemQuery, reloadCatalog } from '../../../api/catalog/catalog.ts';
import { getParentPath, isAtOrBelow } from '../../../api/catalog/catalog-paths.ts';
import { useSession } from '../../../api/use-session.ts';
import { LoadError } from '../../load-error.tsx';
import { notify } from '../../notify.ts';
import { undoDeletion } from '../bin/undo-deletion.ts';
import type { Action } from '../catalog-context.ts';
import { ManyDialog } from '../many/many-dialog.tsx';
import { CopyDialog } from '../transfer/copy-dialog.tsx';
import { DownloadDialog } from '../transfer/download-dialog.tsx';
import { UploadDialog } from '../transfer/upload-dialog.tsx';
import type { OpenFolders } from '../tree/open-folders.ts';
import { CreateDialog } from './create-dialog.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { DescribeDialog, MoveDialog, RenameDialog } from './edit-dialogs.tsx';

interface ActionDialogProps {
  readonly action: Action;
  /** The path of the shown item. */
  readonly shown: string;
  readonly folders: OpenFolders;
  readonly onClose: () => void;
}

/** The dialog of an action. When it is done, the page shows the item at its new path. */
export function ActionDialog(props: ActionDialogProps) {
  const { action, onClose } = props;
  const client = useQueryClient();
  const reload = () => {
    onClose();
    void reloadCatalog(client);
  };
  switch (action.kind) {
    case 'upload':
      return <UploadDialog folder={action.folder} dropped={action.dropped} onClose={reload} />;
    case 'copy':
      return <CopyDialog entry={action.entry} onClose={reload} />;
    case 'download':
      return <DownloadDialog entry={action.entry} onClose={onClose} />;
    case 'move-many':
    case 'copy-many':
    case 'download-many':
    case 'delete-many':
      return <ManyDialog action={action} folders={props.folders} onClose={reload} />;
    case 'create-script':
    case 'create-folder':
    case 'create-project':
      return <Creation {...props} kind={action.kind} folder={action.folder} />;
    default:
      return <ChangeOf {...props} kind={action.kind} entry={action.entry} />;
  }
}

interface CreationProps extends ActionDialogProps {
  readonly kind: 'create-script' | 'create-folder' | 'create-project';
  readonly folder: string;
}

function Creation({ kind, folder, folders, onClose }: CreationProps) {
  const show = useShow();
  const created = (made: Entry) => {
    onClose();
    notify(`Created ${made.name}`);
    folders.open(folder);
    void show(made.path);
  };
  return <CreateDialog kind={kind} folder={folder} onClose={onClose} onDone={created} />;
}

interface ChangeOfProps extends ActionDialogProps {
  readonly kind: keyof typeof DIALOGS;
  readonly entry: Entry;
}

function ChangeOf({ kind, entry, shown, folders, onClose }: ChangeOfProps) {
  const show = useShow();
  const client = useQueryClient();
  const { days_in_bin } = useSession();
  const finish = (changed?: Entry) => {
    const to = changed?.path ?? null;
    onClose();
    const undo = { label: 'Undo', run: () => void undoDeletion(client, entry.path) };
    notify(printDone(kind, entry, changed), to === null && days_in_bin > 0 ? undo : undefined);
    folders.move(entry.path, to);
    const suffix = shown.slice(entry.path.length);
    if (!isAtOrBelow(shown, entry.path)) void show(null);
    else void show(to === null ? getParentPath(entry.path) : to + suffix, true);
  };
  const Dialog = DIALOGS[kind];
  return (
    <WithItem title={TITLES[kind]} path={entry.path} onClose={onClose}>
      {(opened) => <Dialog opened={opened} onClose={onClose} onDone={finish} />}
    </WithItem>
  );
}

/** Shows an item, or the same one as before for null, and then loads the catalog again. */
function useShow() {
  const navigate = useNavigate();
  const client = useQueryClient();
  return async (path: string | null, replace = false) => {
    const target = { to: '/catalog/$', params: { _splat: path ?? '' }, search: {} } as const;
    if (path !== null) await navigate({ ...target, replace, ignoreBlocker: true });
    await reloadCatalog(client);
  };
}

const DIALOGS = { rename: RenameDialog, describe: DescribeDialog, move: MoveDialog, delete: DeleteDialog };
const TITLES = { rename: 'Rename', describe: 'Description', move: 'Move', delete: 'Delete' };

function printDone(kind: keyof typeof DIALOGS, entry: Entry, changed: Entry | undefined): string {
  if (changed === undefined) return `Deleted ${entry.name}`;
  if (kind === 'rename') return `Renamed ${entry.name} to ${changed.name}`;
  if (kind === 'describe') return `Saved the description of ${entry.name}`;
  return `Moved ${entry.name} to ${getParentPath(changed.path)}`;
}

interface WithItemProps {
  readonly title: string;
  readonly path: string;
  readonly onClose: () => void;
  readonly children: (item: CatalogItem) => ReactNode;
}

/** Loads the item of a dialog, whose revision the change will name. Later reloads do not replace it. */
function WithItem({ title, path, onClose, children }: WithItemProps) {
  const { data, error, refetch, isFetchedAfterMount } = useQuery({ ...itemQuery(path), staleTime: 0 });
  const opened = useRef<CatalogItem>(undefined);
  if (isFetchedAfterMount && error === null) opened.current ??= data;
  if (opened.current !== undefined) return children(opened.current);
  return (
    <Modal opened onClose={onClose} title={title} centered>
      {error === null ? (
        <Center mih={120} role="status" aria-label="Loading the item">
          <Loader />
        </Center>
      ) : (
        <LoadError title="The item cannot be loaded" error={error} onRetry={() => void refetch()} />
      )}
    </Modal>
  );
}
