import { type DragEvent, useState } from 'react';
import { type Entry, isFolder } from '../../../api/catalog/catalog.ts';
import { isNamespace } from '../../../api/catalog/catalog-paths.ts';

/** The type of what is dragged: the path of an item. */
const TYPE = 'application/x-quern-item';

/** Called with the path of an item that was dropped on a folder, and the path of this folder. */
export type OnDrop = (path: string, folder: string) => void;

/** The events of a row whose item can be dragged, and on which others can be dropped; the dialog Move does the same. */
export function useRowDrag({ path, type }: Entry, onDrop: OnDrop | undefined) {
  const [isOver, setOver] = useState(false);
  const isDraggable = onDrop !== undefined && !isNamespace(path);
  const accept = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes(TYPE)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'move';
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const dropped = event.dataTransfer.getData(TYPE);
    if (dropped !== '') onDrop?.(dropped, path);
  };
  const target =
    onDrop === undefined || !isFolder(type)
      ? {}
      : { onDragEnter: accept, onDragOver: accept, onDragLeave: () => setOver(false), onDrop: drop };
  return {
    target: { ...target, 'data-over': isOver || undefined },
    link: {
      draggable: isDraggable,
      onDragStart: (event: DragEvent) => {
        event.dataTransfer.setData(TYPE, path);
        event.dataTransfer.effectAllowed = 'move';
      },
    },
  };
}
