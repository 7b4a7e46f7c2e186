import { Button, Group, Skeleton, Stack, Tabs, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type Item, isAtLeast, isFolder, itemQuery, levelQuery } from '../../../api/catalog/catalog.ts';
import { getName } from '../../../api/catalog/catalog-paths.ts';
import { type CatalogSearch, readCatalogSearch } from '../../../api/catalog/catalog-search.ts';
import { UploadIcon } from '../../icons.tsx';
import { AccessPanel } from '../access/access-panel.tsx';
import { useCatalog } from '../catalog-context.ts';
import { HistoryPanel } from '../history/history-panel.tsx';
import { ItemIcon } from '../item/item-icon.tsx';
import { ItemMenu } from '../item/item-menu.tsx';
import { ItemName } from '../item/item-name.tsx';
import { NewMenu } from '../item/new-menu.tsx';
import { AssetContents } from './asset-contents.tsx';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { CopyAction } from './copy-action.tsx';
import { DownloadAction } from './download-action.tsx';
import { EditAction } from './edit-action.tsx';
import { FolderContents } from './folder-contents.tsx';
import { ItemFailed, isRefusal } from './item-failed.tsx';
import { Properties } from './properties.tsx';
import classes from './view.module.css';

interface ItemViewProps {
  readonly path: string;
  readonly search: CatalogSearch;
}

/** An item: its name, its actions, and its contents or its properties. */
export function ItemView({ path, search }: ItemViewProps) {
  const { data: item, error, refetch } = useQuery(itemQuery(path));
  if (error !== null && (item === undefined || isRefusal(error))) {
    return <ItemFailed path={path} error={error} onRetry={() => void refetch()} />;
  }
  if (item === undefined) return <Waiting path={path} />;
  return (
    <>
      <title>{`${item.name} · Quern`}</title>
      <ItemHeader item={item} line={search.line} />
      <ItemTabs item={item} search={search} />
    </>
  );
}

function ItemHeader({ item, line }: { readonly item: Item; readonly line: number | undefined }) {
  const { content } = item.data;
  const { data: level } = useQuery(levelQuery(item.path));
  return (
    <Stack gap={6} px={{ base: 'md', sm: 'lg' }} pt="md" pb="xs">
      <Breadcrumbs path={item.path} />
      <Group justify="space-between" gap="sm">
        <Title order={1} fz={22} className={classes.title}>
          <ItemIcon type={item.type} size={24} />
          <ItemName name={item.name} />
        </Title>
        <Group gap="xs">
          {isFolder(item.type) && isAtLeast(level, 'EDIT') && <FolderActions path={item.path} />}
          <CopyAction label="Copy path" value={item.path} isWideOnly />
          {content !== undefined && (
            <EditAction path={item.path} mayEdit={isAtLeast(level, 'EDIT')} line={line} />
          )}
          {content !== undefined && <CopyAction label="Copy content" value={content} />}
          {content !== undefined && <DownloadAction name={item.name} content={content} />}
          <ItemMenu entry={item} />
        </Group>
      </Group>
    </Stack>
  );
}

function FolderActions({ path }: { readonly path: string }) {
  const { start } = useCatalog();
  return (
    <>
      <NewMenu folder={path} />
      <Button
        size="xs"
        variant="default"
        leftSection={<UploadIcon size={16} />}
        onClick={() => start({ kind: 'upload', folder: path, dropped: [] })}
      >
        Upload
      </Button>
    </>
  );
}

function ItemTabs({ item, search }: { readonly item: Item; readonly search: CatalogSearch }) {
  const navigate = useNavigate();
  const folder = isFolder(item.type);
  const show = (value: string | null) => {
    const { view } = readCatalogSearch({ view: value });
    void navigate({ to: '/catalog/$', params: { _splat: item.path }, search: { view }, replace: true });
  };
  return (
    <Tabs value={search.view ?? 'contents'} onChange={show} className={classes.tabs} keepMounted={false}>
      <Tabs.List px={{ base: 'xs', sm: 'md' }}>
        <Tabs.Tab value="contents">{folder ? 'Contents' : 'Text'}</Tabs.Tab>
        <Tabs.Tab value="properties">Properties</Tabs.Tab>
        {!folder && <Tabs.Tab value="history">History</Tabs.Tab>}
        <Tabs.Tab value="access">Permissions</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="contents" className={classes.panel}>
        {folder ? <FolderContents path={item.path} /> : <AssetContents item={item} line={search.line} />}
      </Tabs.Panel>
      <Tabs.Panel value="properties" className={classes.panel}>
        <Properties item={item} />
      </Tabs.Panel>
      <Tabs.Panel value="history" className={classes.panel}>
        {!folder && <HistoryPanel key={item.etag} item={item} />}
      </Tabs.Panel>
      <Tabs.Panel value="access" className={classes.panel}>
        <AccessPanel item={item} />
      </Tabs.Panel>
    </Tabs>
  );
}

function Waiting({ path }: { readonly path: string }) {
  return (
    <Stack gap="md" p="lg" role="status" aria-label="Loading the item">
      <title>{`${getName(path)} · Quern`}</title>
      <Skeleton height={16} width={220} />
      <Skeleton height={28} width={300} />
      <Skeleton height={240} radius="md" mt="sm" />
    </Stack>
  );
}
