import { type DragEvent, type HTMLAttributes, useState } from 'react';
import type { Tab } from '../workspace/tab.ts';

/** Where a dragged tab would be dropped: before or after another one. */
type Side = 'before' | 'after';

/** The tabs of a strip while one of them is dragged. */
export interface TabDrag {
  /** The side of a tab on which the dragged one would be dropped. */
  readonly findSide: (tab: Tab) => Side | undefined;
  readonly getProps: (tab: Tab) => HTMLAttributes<HTMLElement>;
}

/** Neither the text nor another page takes data of this type. */
const TYPE = 'application/x-quern-tab';

/** Reorders tabs by dragging; `onMove` gets the place among the other tabs. */
export function useTabDrag(tabs: readonly Tab[], onMove: (tab: Tab, place: number) => void): TabDrag {
  const [dragged, setDragged] = useState<Tab | null>(null);
  const [over, setOver] = useState<{ readonly id: number; readonly side: Side } | null>(null);
  const end = () => {
    setDragged(null);
    setOver(null);
  };
  return {
    findSide: (tab) => (over?.id === tab.id && dragged?.id !== tab.id ? over.side : undefined),
    getProps: (tab) => ({
      draggable: true,
      onDragStart: ({ dataTransfer }) => {
        dataTransfer.setData(TYPE, String(tab.id));
        dataTransfer.effectAllowed = 'move';
        setDragged(tab);
      },
      onDragOver: (event) => {
        if (dragged === null) return;
        event.preventDefault();
        setOver({ id: tab.id, side: measureSide(event) });
      },
      onDrop: (event) => {
        if (dragged === null) return;
        event.preventDefault();
        const others = tabs.filter(({ id }) => id !== dragged.id);
        const at = others.findIndex(({ id }) => id === tab.id);
        if (at !== -1) onMove(dragged, measureSide(event) === 'before' ? at : at + 1);
        end();
      },
      onDragEnd: end,
    }),
  };
}

function measureSide({ currentTarget, clientX }: DragEvent<HTMLElement>): Side {
  const { left, width } = currentTarget.getBoundingClientRect();
  return clientX < left + width / 2 ? 'before' : 'after';
}
