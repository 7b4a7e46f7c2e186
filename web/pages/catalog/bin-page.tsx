import { Stack, Text, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { BinSearch } from '../../api/catalog/catalog-bin.ts';
import { useSession } from '../../api/use-session.ts';
import { BinPanel } from '../../components/catalog/bin/bin-panel.tsx';
import { BinTable } from '../../components/catalog/bin/bin-table.tsx';
import { CatalogFrame } from '../../components/catalog/catalog-frame.tsx';
import { printCounted } from '../../components/catalog/view/print-size.ts';

const route = getRouteApi('/signed-in/catalog/bin');

/** The bin of the catalog (docs/reference/bin.md). */
export function BinPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { days_in_bin } = useSession();
  const change = (changed: BinSearch, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace });
  const { item } = search;
  return (
    <CatalogFrame
      path=""
      search={{}}
      panel={item !== undefined && <BinPanel id={item} onClose={() => change({ item: undefined })} />}
    >
      <title>Bin · Quern</title>
      <Stack gap={6} px={{ base: 'md', sm: 'lg' }} pt="md" pb="sm">
        <Title order={1} fz={22}>
          Bin
        </Title>
        <Text size="sm" c="dimmed">
          {days_in_bin === 0
            ? 'Deleted items are not kept on this server.'
            : `Deleted items are kept for ${printCounted(days_in_bin, 'day')}, then deleted permanently.`}
        </Text>
      </Stack>
      <BinTable search={search} onChange={change} />
    </CatalogFrame>
  );
}
