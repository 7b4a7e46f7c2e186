import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  backupsQuery,
  checkDownload,
  type ListedBackup,
  printDownloadAddress,
  startBackup,
} from '../../../api/administration/server.ts';
import { saveAddress } from '../../../api/catalog/files.ts';
import { ApiError } from '../../../api/request.ts';
import { printSize } from '../../catalog/view/print-size.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { DownloadIcon, PlusIcon, TrashIcon, WarningIcon } from '../../icons.tsx';
import { LoadError } from '../../load-error.tsx';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import { TimeText } from '../../time-text.tsx';
import { PanelHeading } from '../panel-parts.tsx';
import rowClasses from '../row.module.css';
import { DeleteBackupDialog } from './delete-backup-dialog.tsx';
import classes from './server.module.css';
import { SignInAgainDialog } from './sign-in-again-dialog.tsx';

/** The backups of the home: now, progress, download and delete (docs/guides/backups.md#backups-of-the-server). */
export function BackupsSection() {
  const client = useQueryClient();
  const { data: list, error, refetch } = useQuery(backupsQuery);
  const starting = useMutation({ mutationFn: () => startBackup(client) });
  const isRunning = list?.data.some(({ state }) => state === 'running') === true;
  return (
    <Stack gap="sm" component="section" aria-label="Backups" className={classes.wide}>
      <Group justify="space-between">
        <PanelHeading>Backups</PanelHeading>
        <Button
          leftSection={<PlusIcon />}
          onClick={() => starting.mutate()}
          loading={starting.isPending}
          disabled={isRunning}
        >
          Back up now
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        Queries wait while a database is copied; those that run have a minute to end first. A backup has
        everything in the home except the key of its secrets: keep a copy of the key elsewhere. A backup is
        restored on a machine, with quern admin restore.
        {list !== undefined && ` The server keeps at most ${list.max}.`}
      </Text>
      {starting.error !== null && <ErrorAlert title="The backup was not started" error={starting.error} />}
      {list === undefined && error === null && <SkeletonRows label="Loading backups" count={2} />}
      {list === undefined && error !== null && (
        <LoadError title="The backups cannot be shown" error={error} onRetry={() => void refetch()} />
      )}
      {list?.data.length === 0 && <Text size="sm">No backups yet.</Text>}
      {list !== undefined && list.data.length > 0 && (
        <ul className={rowClasses.list} aria-label="Backups">
          {list.data.map((backup) => (
            <BackupRow key={backup.name} backup={backup} />
          ))}
        </ul>
      )}
    </Stack>
  );
}

function BackupRow({ backup }: { readonly backup: ListedBackup }) {
  const { name, state, created_at, bytes, error } = backup;
  const [isDeleting, setDeleting] = useState(false);
  return (
    <li className={classes.backup} aria-label={name}>
      <div className={classes.about}>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <Group gap="xs">
          <TimeText value={created_at} withTime />
          {state === 'done' && (
            <Text size="sm" c="dimmed">
              {printSize(bytes)}
            </Text>
          )}
        </Group>
        {state === 'running' && <BackupProgress backup={backup} />}
        {error !== null && (
          <Alert color="red" variant="light" icon={<WarningIcon />} title="The backup failed" mt="xs">
            {error}
          </Alert>
        )}
      </div>
      <Group gap="xs">
        {state === 'done' && <DownloadButton name={name} />}
        <Button
          variant="default"
          leftSection={<TrashIcon />}
          onClick={() => setDeleting(true)}
          aria-label={`${state === 'running' ? 'Stop' : 'Delete'} ${name}`}
        >
          {state === 'running' ? 'Stop' : 'Delete'}
        </Button>
      </Group>
      {isDeleting && <DeleteBackupDialog backup={backup} onClose={() => setDeleting(false)} />}
    </li>
  );
}

function BackupProgress({ backup: { bytes, expected_bytes } }: { readonly backup: ListedBackup }) {
  const share = expected_bytes ? Math.min(1, bytes / expected_bytes) : 0;
  return (
    <div role="status">
      <Text size="sm" c="dimmed">
        Running: {printSize(bytes)} of at most {printSize(expected_bytes ?? 0)}
      </Text>
      <Progress value={share * 100} aria-label="Progress of the backup" size="sm" mt={4} animated />
    </div>
  );
}

/** Downloads a backup; asks to sign in again unless the sign-in is recent. */
function DownloadButton({ name }: { readonly name: string }) {
  const [isAsking, setAsking] = useState(false);
  const download = useMutation({
    mutationFn: () => checkDownload(name),
    onSuccess: () => saveAddress(printDownloadAddress(name), name),
    onError: (error) => setAsking(error instanceof ApiError && error.status === 403),
  });
  return (
    <>
      <Button
        variant="default"
        leftSection={<DownloadIcon />}
        onClick={() => download.mutate()}
        loading={download.isPending}
        aria-label={`Download ${name}`}
      >
        Download
      </Button>
      {download.error !== null && !isAsking && (
        <ErrorAlert title="The backup cannot be downloaded" error={download.error} />
      )}
      {isAsking && (
        <SignInAgainDialog
          reason="A backup has the data of all users. Confirm that it is you; then the download begins."
          onClose={() => setAsking(false)}
          onSignedIn={() => {
            setAsking(false);
            download.mutate();
          }}
        />
      )}
    </>
  );
}
