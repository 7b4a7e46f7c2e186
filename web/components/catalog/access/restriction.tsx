import { Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { reloadCatalog } from '../../../api/catalog/catalog.ts';
import { accessQuery, restrictItem } from '../../../api/catalog/catalog-grants.ts';
import { getParentPath, isNamespace } from '../../../api/catalog/catalog-paths.ts';
import { ErrorAlert } from '../../error-alert.tsx';

/** Whether grants on the folders above an item apply to it, and the switch that changes this. */
export function Restriction({ path }: { readonly path: string }) {
  const client = useQueryClient();
  const { data } = useQuery(accessQuery(path));
  // The state of the mutation would follow a moment after the click, and the switch would jump back and forth.
  const [chosen, setChosen] = useState<boolean>();
  const change = useMutation({
    mutationFn: (isRestricted: boolean) => restrictItem(client, path, isRestricted),
    onSettled: async () => {
      await reloadCatalog(client);
      setChosen(undefined);
    },
  });
  const choose = (isRestricted: boolean) => {
    setChosen(isRestricted);
    change.mutate(isRestricted);
  };
  if (isNamespace(path) || data === undefined) return null;
  const isByNature = getParentPath(path) === '@Project Hub';
  return (
    <>
      <Switch
        label="Restricted"
        description={
          isByNature
            ? 'Items directly in @Project Hub are always restricted: only grants on them and below count.'
            : 'Grants on the folders above do not count here and below. You keep MANAGE.'
        }
        checked={chosen ?? data.restricted}
        disabled={isByNature || change.isPending}
        onChange={(event) => choose(event.currentTarget.checked)}
      />
      {change.error !== null && <ErrorAlert title="The restriction was not changed" error={change.error} />}
    </>
  );
}
