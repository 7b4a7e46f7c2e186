import { Anchor } from '@mantine/core';
import type { CSSProperties } from 'react';
import { isFolder } from '../../../api/catalog/catalog.ts';
import { ChevronIcon } from '../../icons.tsx';
import { CatalogLink } from '../item/catalog-link.tsx';
import { ItemIcon } from '../item/item-icon.tsx';
import { ItemName } from '../item/item-name.tsx';
import classes from './tree.module.css';
import type { ItemRow, TreeRow } from './tree-rows.ts';

/** The indentation of a level, in pixels. */
const INDENT = 16;

interface PlacedProps {
  readonly id: string;
  /** The distance from the top of the tree, in pixels. */
  readonly top: number;
}

interface TreeRowProps extends PlacedProps {
  readonly row: ItemRow;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  /** Whether the name is a link to the page of the item. */
  readonly hasLink: boolean;
  readonly onToggle: () => void;
  readonly onChoose: () => void;
}

/** An item of the tree. A click on its triangle opens or closes a folder; a click on its name chooses the item, too. */
export function TreeItem(props: TreeRowProps) {
  const { row, id, top, isActive, isSelected, hasLink, onToggle, onChoose } = props;
  const { entry, level, position, setSize, isOpen } = row;
  const hasChildren = isFolder(entry.type);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and names this row as the active one
    <div
      id={id}
      role="treeitem"
      className={classes.row}
      style={place(top, level)}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={setSize}
      aria-selected={isSelected}
      {...(hasChildren ? { 'aria-expanded': isOpen } : {})}
      data-active={isActive || undefined}
      data-selected={isSelected || undefined}
    >
      {hasChildren ? (
        <span className={classes.toggle} onClick={onToggle} aria-hidden="true">
          <ChevronIcon size={14} />
        </span>
      ) : (
        <span className={classes.toggle} />
      )}
      {hasLink ? (
        <CatalogLink path={entry.path} className={classes.link} tabIndex={-1} onClick={onChoose}>
          <ItemIcon type={entry.type} />
          <ItemName name={entry.name} />
        </CatalogLink>
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys do the same
        // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys do the same
        <span className={classes.link} onClick={onChoose}>
          <ItemIcon type={entry.type} />
          <ItemName name={entry.name} />
        </span>
      )}
    </div>
  );
}

interface StateRowProps extends PlacedProps {
  readonly row: Exclude<TreeRow, ItemRow>;
  readonly onRetry: () => void;
}

/** The state of an open folder without children to show. */
export function TreeState({ row, id, top, onRetry }: StateRowProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus
    <div
      id={id}
      role="treeitem"
      aria-level={row.level}
      aria-disabled="true"
      aria-selected="false"
      className={`${classes.row} ${classes.state}`}
      style={place(top, row.level)}
    >
      <span className={classes.toggle} />
      <span className={classes.message} title={row.message}>
        {row.message}
      </span>
      {row.kind === 'failed' && (
        <Anchor component="button" type="button" size="sm" className={classes.retry} onClick={onRetry}>
          Try again
        </Anchor>
      )}
    </div>
  );
}

function place(top: number, level: number): CSSProperties {
  return { transform: `translateY(${top}px)`, paddingInlineStart: (level - 1) * INDENT };
}
