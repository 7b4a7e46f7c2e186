import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isAtLeast, levelQuery, reloadCatalog } from '../../../api/catalog/catalog.ts';
import { getName } from '../../../api/catalog/catalog-paths.ts';
import { ApiError } from '../../../api/request.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { showDirections } from '../item/show-directions.ts';

interface EditErrorProps {
  readonly title: string;
  readonly error: Error;
  /** The path of the item that is changed, or of the folder in which one is created. */
  readonly path: string;
}

/**
 * The error of a change or a creation. The server does not tell a user without EDIT whether the path exists; one who may still
 * view the item learns that EDIT was withdrawn. Then the page offers changes no longer.
 */
export function EditError({ title, error, path }: EditErrorProps) {
  const client = useQueryClient();
  const isHidden = error instanceof ApiError && error.status === 404;
  const { data: level } = useQuery({ ...levelQuery(path), staleTime: 0, enabled: isHidden });
  const isWithdrawn = isHidden && isAtLeast(level, 'VIEW') && !isAtLeast(level, 'EDIT');
  useEffect(() => {
    if (isWithdrawn) void reloadCatalog(client);
  }, [isWithdrawn, client]);
  const shown = isWithdrawn ? new Error(`You may no longer edit ${showDirections(getName(path))}.`) : error;
  return <ErrorAlert title={title} error={shown} />;
}
