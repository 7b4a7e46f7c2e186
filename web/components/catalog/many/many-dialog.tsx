import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { childrenQuery, folderSizeQuery, isFolder } from '../../../api/catalog/catalog.ts';
import { zipFolder } from '../../../api/catalog/catalog-download.ts';
import {
  type ChangedItem,
  changeItems,
  copyItems,
  listEntries,
  type SharedItemChange,
} from '../../../api/catalog/catalog-many.ts';
import { getName, joinPath } from '../../../api/catalog/catalog-paths.ts';
import { toFolderName } from '../../../api/catalog/file-names.ts';
import { saveFile } from '../../../api/catalog/files.ts';
import type { Outcome, Reporter } from '../../../api/catalog/transfer.ts';
import { useSession } from '../../../api/use-session.ts';
import { notify } from '../../notify.ts';
import type { ManyAction } from '../catalog-context.ts';
import { MAX_UNNAMED } from '../dialogs/delete-dialog.tsx';
import { TransferDialog } from '../transfer/transfer-dialog.tsx';
import { useTransfer } from '../transfer/use-transfer.ts';
import { FolderPicker, useMayChange } from '../tree/folder-picker.tsx';
import type { OpenFolders } from '../tree/open-folders.ts';
import { printCounted } from '../view/print-size.ts';
import { printMany } from './print-many.ts';
import { createUndoOfDeletion, createUndoOfMove } from './undo-many.ts';

interface ManyDialogProps {
  readonly action: ManyAction;
  readonly folders: OpenFolders;
  readonly onClose: () => void;
}

const WORDS = {
  'move-many': ['Move', 'moved'],
  'copy-many': ['Copy', 'copied'],
  'download-many': ['Download', 'downloaded'],
  'delete-many': ['Delete', 'deleted'],
} as const;

/** Moves, copies, downloads or deletes several items of a folder, with progress; a message says what was done. */
export function ManyDialog({ action, folders, onClose }: ManyDialogProps) {
  const { kind, folder, names } = action;
  const [label, verb] = WORDS[kind];
  const { transfer, cancel, ...work } = useManyWork(action, folders, onClose);
  const form = { count: names.length, folder, onClose };
  return (
    <TransferDialog
      title={`${label} ${printCounted(names.length, 'item')}`}
      verb={verb}
      transfer={transfer}
      onCancel={cancel}
      onClose={() => {
        if (transfer.status === 'ended') action.onDone();
        onClose();
      }}
    >
      {kind === 'move-many' && (
        <PlaceForm {...form} label={label} onSubmit={(to) => work.change({ parent_path: to })} />
      )}
      {kind === 'copy-many' && <PlaceForm {...form} label={label} mayStay onSubmit={work.copy} />}
      {kind === 'download-many' && <Start run={work.download} />}
      {kind === 'delete-many' && (
        <DeletionForm {...form} names={names} onSubmit={() => work.change({ delete: true })} />
      )}
    </TransferDialog>
  );
}

/** The work of the dialog. It closes the dialog if all items are done. */
function useManyWork(action: ManyAction, folders: OpenFolders, onClose: () => void) {
  const { kind, folder, names, onDone } = action;
  const client = useQueryClient();
  const { transfer, run, cancel } = useTransfer();
  const perform = async (
    act: (reporter: Reporter) => Promise<unknown>,
    createAction: () => Parameters<typeof notify>[1] = () => undefined,
  ) => {
    const outcomes: Outcome[] = [];
    await run((reporter) => {
      const end = (outcome: Outcome) => {
        outcomes.push(outcome);
        reporter.end(outcome);
      };
      return act({ ...reporter, end });
    });
    const done = outcomes.filter(({ status }) => status === 'done').length;
    if (done > 0) notify(printMany(WORDS[kind][1], outcomes, names.length), createAction());
    if (done < names.length) return;
    onDone();
    onClose();
  };
  const change = (shared: SharedItemChange) => {
    const changed: ChangedItem[] = [];
    const note = (items: readonly ChangedItem[]) => {
      changed.push(...items);
      for (const { path, new_path } of items) if (folders.paths.has(path)) folders.move(path, new_path);
    };
    const paths = names.map((name) => joinPath(folder, name));
    void perform(
      (reporter) => changeItems(client, paths, shared, reporter, note),
      () =>
        shared.delete === true
          ? createUndoOfDeletion(client, changed)
          : createUndoOfMove(client, changed, folder),
    );
  };
  const copy = (to: string) =>
    void perform(async (reporter) =>
      copyItems(client, await listEntries(folder, names, reporter.signal), to, reporter),
    );
  const download = () =>
    void run(async (reporter) => {
      const place = { name: getName(folder), path: folder };
      const entries = await listEntries(folder, names, reporter.signal);
      saveFile(`${toFolderName(place.name)}.zip`, await zipFolder(place, reporter, entries));
    });
  return { transfer, cancel, change, copy, download };
}

/** Starts work that needs no form. */
function Start({ run }: { readonly run: () => void }) {
  const isStarted = useRef(false);
  useEffect(() => {
    if (isStarted.current) return;
    isStarted.current = true;
    run();
  });
  return null;
}

interface FormProps {
  /** The number of items. */
  readonly count: number;
  /** The path of the folder that has the items. */
  readonly folder: string;
  readonly onClose: () => void;
}

interface PlaceFormProps extends FormProps {
  readonly label: string;
  /** Whether the folder that has the items can be chosen. */
  readonly mayStay?: boolean;
  readonly onSubmit: (folder: string) => void;
}

function PlaceForm({ folder, label, mayStay = false, onSubmit, onClose }: PlaceFormProps) {
  const [to, setTo] = useState(folder);
  const mayChange = useMayChange(to);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(to);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <FolderPicker label="To the folder" value={to} onChange={setTo} />
        <Buttons onClose={onClose}>
          <Button type="submit" disabled={!mayChange || (!mayStay && to === folder)}>
            {label}
          </Button>
        </Buttons>
      </Stack>
    </form>
  );
}

interface DeletionFormProps extends FormProps {
  readonly names: readonly string[];
  readonly onSubmit: () => void;
}

/** Asks for the number of items if there are many, with those in the folders. */
function DeletionForm({ count, folder, names, onSubmit, onClose }: DeletionFormProps) {
  const { days_in_bin } = useSession();
  const isLarge = useIsLarge(folder, names);
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>
          This deletes {printCounted(count, 'item')}, folders with everything in them.{' '}
          {days_in_bin > 0
            ? `The bin keeps them for ${printCounted(days_in_bin, 'day')}.`
            : 'You cannot undo this.'}
        </Text>
        {isLarge && (
          <TextInput
            label={`Type “${count}” to delete so many items`}
            required
            inputMode="numeric"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <Buttons onClose={onClose}>
          <Button
            type="submit"
            color="red"
            disabled={isLarge !== false && typed.replace(/\D/g, '') !== String(count)}
          >
            Delete
          </Button>
        </Buttons>
      </Stack>
    </form>
  );
}

/** Whether items are more than a click should delete; undefined while they are counted. */
function useIsLarge(folder: string, names: readonly string[]): boolean | undefined {
  const isMany = names.length > MAX_UNNAMED;
  const { data: children, isError } = useQuery({ ...childrenQuery(folder), enabled: !isMany });
  const wanted = new Set(names);
  const inside = children?.filter(({ name, type }) => wanted.has(name) && isFolder(type)) ?? [];
  const sizes = useQueries({
    queries: inside.map(({ path }) => ({ ...folderSizeQuery(path), staleTime: 0 })),
  });
  // What cannot be counted may be much.
  if (isMany || isError || sizes.some((size) => size.isError)) return true;
  if (children === undefined || sizes.some(({ isPending }) => isPending)) return undefined;
  const below = sizes.reduce(
    (sum, { data }) => sum + (data === undefined ? 0 : data.folders + data.scripts),
    0,
  );
  return names.length + below > MAX_UNNAMED || sizes.some(({ data }) => data?.is_complete === false);
}

function Buttons({ onClose, children }: { readonly onClose: () => void; readonly children: ReactNode }) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose} data-autofocus>
        Cancel
      </Button>
      {children}
    </Group>
  );
}
