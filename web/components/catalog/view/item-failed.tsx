import { Box, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { getParentPath } from '../../../api/catalog/catalog-paths.ts';
import { ApiError } from '../../../api/request.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { WarningIcon } from '../../icons.tsx';
import { MessagePart } from '../../message-page.tsx';
import { ItemName } from '../item/item-name.tsx';

interface ItemFailedProps {
  readonly path: string;
  readonly error: Error;
  readonly onRetry: () => void;
}

/** The state of an item that cannot be shown: it is missing, or hidden from the user, or the server has an error. */
export function ItemFailed({ path, error, onRetry }: ItemFailedProps) {
  if (!isRefusal(error)) {
    return (
      <Box p="lg">
        <title>Error · Quern</title>
        <ErrorAlert title="This item cannot be shown" error={error} onRetry={onRetry} />
      </Box>
    );
  }
  const parent = getParentPath(path);
  return (
    <MessagePart
      icon={<WarningIcon size={24} />}
      title="There is no such item"
      text={
        <>
          <ItemName name={path} isWrapped /> does not exist, or you may not see it. It may have been renamed,
          moved or deleted, or a permission may have changed.
        </>
      }
    >
      <title>Not found · Quern</title>
      <Button
        variant="default"
        renderRoot={(props) => <Link {...props} to="/catalog/$" params={{ _splat: parent }} search={{}} />}
      >
        {parent === '' ? 'Go to the catalog' : 'Go to the folder above'}
      </Button>
    </MessagePart>
  );
}

/** Whether the server refuses the item; other errors can be temporary. */
export function isRefusal(error: Error | null): boolean {
  return error instanceof ApiError && [400, 403, 404].includes(error.status);
}
