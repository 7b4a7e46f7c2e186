import { Center, Loader, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { type Item, itemQuery } from '../../../api/catalog/catalog.ts';
import { LoadError } from '../../load-error.tsx';

interface WithItemProps {
  readonly title: string;
  readonly path: string;
  readonly onClose: () => void;
  readonly children: (item: Item) => ReactNode;
}

/** Loads the item of a dialog, whose revision the change will name. Later reloads do not replace it. */
export function WithItem({ title, path, onClose, children }: WithItemProps) {
  const { data, error, refetch, isFetchedAfterMount } = useQuery({ ...itemQuery(path), staleTime: 0 });
  const opened = useRef<Item>(undefined);
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
