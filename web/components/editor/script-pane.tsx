import { Box, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { type CatalogItem, isAtLeast, isFolder, itemQuery, levelQuery } from '../../api/catalog/catalog.ts';
import { ITEM_KIND_NAMES } from '../catalog/item/item-kinds.ts';
import { ItemFailed, isRefusal } from '../catalog/view/item-failed.tsx';
import { DocumentIcon } from '../icons.tsx';
import { MessagePart } from '../message-page.tsx';
import { SkeletonRows } from '../skeleton-rows.tsx';
import classes from './editor.module.css';
import { TextPane } from './text-pane.tsx';
import { getTitle, type Tab } from './workspace/tab.ts';
import type { EditorWorkspace } from './workspace/workspace.ts';

interface ScriptPaneProps {
  readonly workspace: EditorWorkspace;
  readonly tab: Tab;
}

/** A script of the catalog: while it is loaded, when it is missing, and its text. */
export function ScriptPane({ workspace, tab }: ScriptPaneProps) {
  const { data: item, error, refetch } = useQuery(itemQuery(tab.key));
  const { data: level } = useQuery(levelQuery(tab.key));
  const hasContent = item?.data.content !== undefined;
  const isRefused = isRefusal(error);
  useEffect(() => {
    if (isRefused) workspace.lose(tab.id);
    else if (item?.data.content !== undefined) workspace.receive(tab.id, item);
  }, [workspace, tab.id, item, isRefused]);
  if (tab.base !== null) {
    const mayEdit = level === undefined || isAtLeast(level, 'EDIT') || tab.isGone;
    const lock = mayEdit ? null : tab.isChanged ? WITHDRAWN : READ_ONLY;
    return <TextPane workspace={workspace} tab={tab} lock={lock} />;
  }
  if (error !== null && (item === undefined || isRefused))
    return <ItemFailed path={tab.key} error={error} onRetry={() => void refetch()} />;
  if (item !== undefined && !hasContent) return <NoText item={item} />;
  return (
    <Box className={classes.pending}>
      <title>{`${getTitle(tab)} · Quern`}</title>
      <SkeletonRows label="Loading the script" count={8} height={20} />
    </Box>
  );
}

const READ_ONLY = 'Read-only: you may view this script, but not edit it.';
const WITHDRAWN =
  'You may no longer edit this script. Your changes are still here, but cannot be saved to it.';

/** An item without a text. */
function NoText({ item }: { readonly item: CatalogItem }) {
  return (
    <MessagePart
      icon={<DocumentIcon size={24} />}
      title={`${ITEM_KIND_NAMES[item.type]}: ${item.name}`}
      text={isFolder(item.type) ? 'A folder has no text.' : 'Items of this kind have no text.'}
    >
      <title>{`${item.name} · Quern`}</title>
      <Button
        variant="default"
        renderRoot={(props) => <Link {...props} to="/catalog/$" params={{ _splat: item.path }} search={{}} />}
      >
        Show it in the catalog
      </Button>
    </MessagePart>
  );
}
