import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { CatalogLink } from '../catalog/item/catalog-link.tsx';
import { ItemName } from '../catalog/item/item-name.tsx';
import classes from './editor.module.css';
import { isQuery, type Tab } from './workspace/tab.ts';

interface ToolsProps {
  readonly tab: Tab;
  readonly isReadOnly: boolean;
  readonly onSave: () => void;
  readonly onSaveAs: () => void;
  /** What runs the text; null if the text is not a script. */
  readonly children: ReactNode;
}

/** The bar above a text: what runs it, its place, and what saves it. */
export function Tools({ tab, isReadOnly, onSave, onSaveAs, children }: ToolsProps) {
  const isOwn = isQuery(tab.key);
  return (
    <div className={classes.tools}>
      {children}
      <div className={classes.path}>
        {isOwn ? (
          <span>Only in this browser</span>
        ) : (
          <CatalogLink path={tab.key} className={classes.place}>
            <ItemName name={tab.key} />
          </CatalogLink>
        )}
      </div>
      {!isReadOnly && !isOwn && !tab.isMerging && (
        <Button
          size="xs"
          variant="default"
          disabled={!tab.isChanged || tab.isGone}
          loading={tab.isSaving}
          onClick={onSave}
        >
          Save
        </Button>
      )}
      {!isReadOnly && !tab.isMerging && (
        <Button size="xs" variant="default" onClick={onSaveAs}>
          Save as…
        </Button>
      )}
    </div>
  );
}
