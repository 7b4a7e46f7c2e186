import { Box, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { childrenQuery, isAtLeast, levelQuery } from '../../../api/catalog/catalog.ts';
import { getName } from '../../../api/catalog/catalog-paths.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { FolderIcon } from '../../icons.tsx';
import { useCatalog } from '../catalog-context.ts';
import { ItemMenu } from '../item/item-menu.tsx';
import { Message, MessageText } from '../item/message.tsx';
import { DropTarget } from '../transfer/drop-target.tsx';
import classes from '../transfer/transfer.module.css';
import { FolderTable } from './folder-table.tsx';
import { isRefusal } from './item-failed.tsx';

/** The contents of a folder, on which files can be dropped, or the namespaces for the empty path. */
export function FolderContents({ path }: { readonly path: string }) {
  const { start } = useCatalog();
  const { data: level } = useQuery({ ...levelQuery(path), enabled: path !== '' });
  if (!isAtLeast(level, 'EDIT')) return <Contents path={path} />;
  return (
    <DropTarget
      className={classes.target}
      onDrop={(dropped) => start({ kind: 'upload', folder: path, dropped })}
    >
      <Contents path={path} />
    </DropTarget>
  );
}

function Contents({ path }: { readonly path: string }) {
  const { data, error, refetch } = useQuery(childrenQuery(path));
  if (error !== null && (data === undefined || isRefusal(error))) {
    return (
      <Box p="lg">
        <ErrorAlert title="The folder cannot be listed" error={error} onRetry={() => void refetch()} />
      </Box>
    );
  }
  if (data === undefined) return <Waiting />;
  if (data.length === 0) {
    return (
      <Message icon={<FolderIcon size={28} />} title="This folder is empty">
        <MessageText>You see only items that you may view.</MessageText>
      </Message>
    );
  }
  return (
    <FolderTable
      key={path}
      label={path === '' ? 'Namespaces' : `Contents of ${getName(path)}`}
      entries={data}
      {...(path === '' ? {} : { renderActions: (entry) => <ItemMenu entry={entry} /> })}
    />
  );
}

function Waiting() {
  return (
    <Stack gap="xs" p="md" role="status" aria-label="Loading the folder">
      {[1, 2, 3, 4].map((row) => (
        <Skeleton key={row} height={36} radius="md" />
      ))}
    </Stack>
  );
}
