import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type CatalogItem, itemQuery } from '../../../api/catalog/catalog.ts';
import { ApiError } from '../../../api/request.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { SavedBy } from '../history/saved-by.tsx';
import { Notice } from '../item/notice.tsx';
import { EditError } from './edit-error.tsx';

interface ChangeErrorProps {
  readonly title: string;
  readonly error: Error | null;
  /** The path of the changed item. */
  readonly path: string;
  /** Continues with the item as it is now, and keeps the input. */
  readonly onReload: (current: CatalogItem) => void;
}

/** The error of a change. If another user has changed the item, the person can continue with it as it is now. */
export function ChangeError({ title, error, path, onReload }: ChangeErrorProps) {
  if (error === null) return null;
  const isConflict = error instanceof ApiError && error.status === 412;
  if (!isConflict) return <EditError title={title} error={error} path={path} />;
  return <Conflict path={path} onReload={onReload} />;
}

function Conflict({ path, onReload }: Pick<ChangeErrorProps, 'path' | 'onReload'>) {
  const { data: current, error, isFetching } = useQuery({ ...itemQuery(path), staleTime: 0 });
  if (error !== null && !isFetching)
    return <ErrorAlert title="The item cannot be loaded again" error={error} />;
  return (
    <Notice kind="warning" title="Someone else has changed this item" isUrgent>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          Nothing was overwritten, and your input is kept. Load the current version, then decide again.
        </Text>
        {current !== undefined && !isFetching && (
          <Text size="sm" component="div">
            <SavedBy item={current} />
          </Text>
        )}
        <Button
          size="xs"
          variant="default"
          loading={isFetching}
          onClick={() => current !== undefined && onReload(current)}
        >
          Load the current version
        </Button>
      </Stack>
    </Notice>
  );
}
