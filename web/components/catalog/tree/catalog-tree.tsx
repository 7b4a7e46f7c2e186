import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCatalog } from '../catalog-context.ts';
import { TreeView } from './tree-view.tsx';
import { useItemDrop } from './use-item-drop.ts';
import { useTreeRows } from './use-tree-rows.ts';

interface CatalogTreeProps {
  /** The path of the shown item. */
  readonly selected: string;
  /** Called when an item is chosen. */
  readonly onShow?: () => void;
}

/** The catalog as a tree that shows the chosen item. Folders are loaded when they are opened. */
export function CatalogTree({ selected, onShow }: CatalogTreeProps) {
  const { folders } = useCatalog();
  const { rows, reload } = useTreeRows(folders);
  const [active, setActive] = useActiveRow(selected);
  const navigate = useNavigate();
  const drop = useItemDrop(selected);
  return (
    <TreeView
      label="Catalog"
      rows={rows}
      folders={folders}
      active={active}
      setActive={setActive}
      selected={selected}
      hasLinks
      onReload={reload}
      onDrop={drop}
      onChoose={({ path }, by) => {
        if (by === 'key') void navigate({ to: '/catalog/$', params: { _splat: path }, search: {} });
        onShow?.();
      }}
    />
  );
}

/** The path of the row for the keyboard: the shown item, until a key goes elsewhere. */
function useActiveRow(selected: string): readonly [string, (path: string) => void] {
  const [active, setActive] = useState(selected);
  const [before, setBefore] = useState(selected);
  if (before !== selected) {
    setBefore(selected);
    setActive(selected);
  }
  return [active, setActive];
}
