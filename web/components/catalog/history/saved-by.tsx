import { useQuery } from '@tanstack/react-query';
import type { CatalogItem } from '../../../api/catalog/catalog.ts';
import { latestVersionQuery } from '../../../api/catalog/catalog-history.ts';
import { TimeText } from '../../time-text.tsx';
import { ItemName } from '../item/item-name.tsx';

/** Who saved an item as it is now: “ana saved version 5 3 minutes ago”. A rename or a move has no version. */
export function SavedBy({
  item,
}: {
  readonly item: Pick<CatalogItem, 'path' | 'type' | 'etag' | 'updated_at'>;
}) {
  const { data } = useQuery(latestVersionQuery(item));
  const time = <TimeText value={item.updated_at} isRelative />;
  if (data === undefined || data === null) return <>Changed {time}</>;
  return (
    <>
      <ItemName name={data.user_name ?? 'Someone else'} isWrapped /> saved version {data.ordinal} {time}
    </>
  );
}

/** The version that an item has now, with the revision of the home in its tooltip. */
export function VersionNumber({ item }: { readonly item: Pick<CatalogItem, 'path' | 'type' | 'etag'> }) {
  const { data } = useQuery(latestVersionQuery(item));
  return <span title={`Revision ${item.etag.replaceAll('"', '')}`}>{data?.ordinal ?? '–'}</span>;
}
