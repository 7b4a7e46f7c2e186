import { Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { type CatalogItem, folderSizeQuery, isFolder } from '../../../api/catalog/catalog.ts';
import { TimeText } from '../../time-text.tsx';
import { ITEM_KIND_NAMES } from '../item/item-kinds.ts';
import { ItemName } from '../item/item-name.tsx';
import { measureText, printCounted, printFolderSize, printSize } from './print-size.ts';
import classes from './view.module.css';

/** The properties of an item. */
export function Properties({ item }: { readonly item: CatalogItem }) {
  const { path, type, description, etag, created_at, updated_at } = item;
  return (
    <dl className={classes.properties}>
      <Property name="Path">
        <ItemName name={path} isWrapped />
      </Property>
      <Property name="Kind">{ITEM_KIND_NAMES[type]}</Property>
      <Property name="Description">
        {description === '' ? <Text c="dimmed">None</Text> : <ItemName name={description} isWrapped />}
      </Property>
      <Property name="Revision">
        <Code>{etag.replaceAll('"', '')}</Code>
      </Property>
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
