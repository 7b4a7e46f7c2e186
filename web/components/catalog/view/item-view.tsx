import { Button, Group, Skeleton, Stack, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Fragment, type ReactNode, useMemo } from 'react';
import {
  type CatalogItem,
  folderSizeQuery,
  type ItemType,
  isAtLeast,
  isFolder,
  itemQuery,
  levelQuery,
} from '../../../api/catalog/catalog.ts';
import { getName, listAncestors } from '../../../api/catalog/catalog-paths.ts';
import { type CatalogSearch, readCatalogSearch } from '../../../api/catalog/catalog-search.ts';
import { toFileName } from '../../../api/catalog/file-names.ts';
import { saveFile } from '../../../api/catalog/files.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { DocumentIcon, DownloadIcon, SqlIcon, UploadIcon } from '../../icons.tsx';
import { MessagePart } from '../../message-page.tsx';
import { TimeText } from '../../time-text.tsx';
import { usePart } from '../../use-part.ts';
import { AccessPanel } from '../access/access-panel.tsx';
import { useCatalog } from '../catalog-context.ts';
import { HistoryPanel } from '../history/history-panel.tsx';
import { VersionNumber } from '../history/saved-by.tsx';
import { CatalogLink } from '../item/catalog-link.tsx';
import { ItemIcon } from '../item/item-icon.tsx';
import { ITEM_KIND_NAMES } from '../item/item-kinds.ts';
import { ItemMenu } from '../item/item-menu.tsx';
import { ItemName } from '../item/item-name.tsx';
import { NewMenu } from '../item/new-menu.tsx';
import { FolderContents } from './folder-contents.tsx';
import { ItemFailed, isRefusal } from './item-failed.tsx';
import { measureText, printCounted, printFolderSize, printSize } from './print-size.ts';
import { TextView } from './text-view.tsx';
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

function ItemHeader({ item, line }: { readonly item: CatalogItem; readonly line: number | undefined }) {
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
          <ItemMenu entry={item} content={content} />
          {isFolder(item.type) && isAtLeast(level, 'EDIT') && <FolderActions path={item.path} />}
          {content !== undefined && <DownloadAction name={item.name} content={content} />}
          {content !== undefined && (
            <EditAction path={item.path} mayEdit={isAtLeast(level, 'EDIT')} line={line} />
          )}
        </Group>
      </Group>
    </Stack>
  );
}

function FolderActions({ path }: { readonly path: string }) {
  const { start } = useCatalog();
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<UploadIcon size={16} />}
        onClick={() => start({ kind: 'upload', folder: path, dropped: [] })}
      >
        Upload
      </Button>
      <NewMenu folder={path} />
    </>
  );
}

function ItemTabs({ item, search }: { readonly item: CatalogItem; readonly search: CatalogSearch }) {
  const navigate = useNavigate();
  const folder = isFolder(item.type);
  const target = { to: '/catalog/$', params: { _splat: item.path } } as const;
  const show = (value: string | null) => {
    const { view } = readCatalogSearch({ view: value });
    void navigate({ ...target, search: { view }, replace: true });
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
        {folder ? (
          <FolderContents path={item.path} search={search} />
        ) : (
          <AssetContents
            item={item}
            line={search.line}
            run={search.run}
            onRun={(run) => void navigate({ ...target, search: { run } })}
          />
        )}
      </Tabs.Panel>
      <Tabs.Panel value="properties" className={classes.panel}>
        <Properties item={item} />
      </Tabs.Panel>
      <Tabs.Panel value="history" className={classes.panel}>
        {!folder && (
          <HistoryPanel
            key={item.etag}
            item={item}
            version={search.version}
            onChoose={(version) => void navigate({ ...target, search: { view: 'history', version } })}
          />
        )}
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

/** The folders around an item, as links; the last one is the item itself. */
function Breadcrumbs({ path }: { readonly path: string }) {
  return (
    <nav aria-label="Path" className={classes.crumbs}>
      <CatalogLink path="" className={classes.crumb}>
        Catalog
      </CatalogLink>
      {listAncestors(path).map((ancestor) => (
        <Fragment key={ancestor}>
          <span aria-hidden="true">/</span>
          <CatalogLink path={ancestor} className={classes.crumb}>
            <ItemName name={getName(ancestor)} />
          </CatalogLink>
        </Fragment>
      ))}
    </nav>
  );
}

interface DownloadActionProps {
  readonly name: string;
  readonly content: string;
}

/** A button that saves a script as a file. */
function DownloadAction({ name, content }: DownloadActionProps) {
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<DownloadIcon size={16} />}
      onClick={() => saveFile(toFileName(name), new Blob([content], { type: 'text/plain' }))}
    >
      Download
    </Button>
  );
}

interface EditActionProps {
  readonly path: string;
  /** Whether the user may change the script; otherwise the editor shows it read-only. */
  readonly mayEdit: boolean;
  /** The line to show, from 1. */
  readonly line: number | undefined;
}

/** Opens a script in the editor. */
function EditAction({ path, mayEdit, line }: EditActionProps) {
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<SqlIcon size={16} />}
      renderRoot={(props) => (
        <Link {...props} to="/sql/$" params={{ _splat: path }} search={{ line }} preload={false} />
      )}
    >
      {mayEdit ? 'Edit' : 'Open in the editor'}
    </Button>
  );
}

interface AssetContentsProps {
  readonly item: CatalogItem;
  /** The line to show, from 1. */
  readonly line: number | undefined;
  /** The run whose results are shown. */
  readonly run: string | undefined;
  readonly onRun: (run: string) => void;
}

const loadRunText = () => import('../../run-text/run-text.tsx');

/** The content of an asset, read-only; a script can be run. */
function AssetContents({ item, line, run, onRun }: AssetContentsProps) {
  const { part, error, retry } = usePart(loadRunText);
  const { content } = item.data;
  if (content === undefined) {
    return (
      <MessagePart
        icon={<DocumentIcon size={24} />}
        title={ITEM_KIND_NAMES[item.type]}
        text="Items of this kind have no text."
      />
    );
  }
  if (content === '') {
    return (
      <MessagePart
        icon={<DocumentIcon size={24} />}
        title="This script is empty"
        text="It has no text yet."
      />
    );
  }
  const runnable = RUNNABLE.includes(item.type);
  const text = (
    <TextView key={item.path} name={item.name} content={content} line={line} hasColours={runnable} />
  );
  if (!runnable || part === null) {
    return (
      <>
        {runnable && error !== null && (
          <ErrorAlert title="The script cannot be run here" error={error} onRetry={retry} />
        )}
        {text}
      </>
    );
  }
  return (
    <part.RunText
      key={item.path}
      label="Run"
      textKey={item.path}
      content={content}
      block={null}
      runId={run}
      onStarted={onRun}
    >
      {text}
    </part.RunText>
  );
}

/** The types of assets that run. */
const RUNNABLE: readonly ItemType[] = ['SQL_SCRIPT', 'SERVICE_SCRIPT'];

/** The properties of an item. */
function Properties({ item }: { readonly item: CatalogItem }) {
  const { path, type, description, created_at, updated_at } = item;
  return (
    <dl className={classes.properties}>
      <Property name="Path">
        <ItemName name={path} isWrapped />
      </Property>
      <Property name="Kind">{ITEM_KIND_NAMES[type]}</Property>
      <Property name="Description">
        {description === '' ? <Text c="dimmed">None</Text> : <ItemName name={description} isWrapped />}
      </Property>
      {!isFolder(type) && (
        <Property name="Version">
          <VersionNumber item={item} />
        </Property>
      )}
      <Property name="Created">
        <TimeText value={created_at} withTime />
      </Property>
      <Property name="Updated">
        <TimeText value={updated_at} withTime />
      </Property>
      <Property name="Size">
        {isFolder(type) ? <SizeOfFolder path={path} /> : <SizeOfText item={item} />}
      </Property>
    </dl>
  );
}

function Property({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={classes.property}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function SizeOfText({ item: { data } }: { readonly item: CatalogItem }) {
  const { content } = data;
  const bytes = useMemo(() => (content === undefined ? null : measureText(content)), [content]);
  if (bytes === null) return 'No content';
  return bytes < 1024 ? printSize(bytes) : `${printSize(bytes)} (${printCounted(bytes, 'byte')})`;
}

function SizeOfFolder({ path }: { readonly path: string }) {
  const { data, error } = useQuery(folderSizeQuery(path));
  if (error !== null) return <Text c="dimmed">{error.message}</Text>;
  return data === undefined ? 'Counting…' : printFolderSize(data);
}
