import { type DragEvent, type ReactNode, useState } from 'react';
import { type ChosenFile, readDrop } from '../../../api/catalog/read-files.ts';

interface DropTargetProps {
  readonly className: string | undefined;
  readonly onDrop: (files: readonly ChosenFile[]) => void;
  readonly children: ReactNode;
}

/** A place where files and folders can be dropped; a button does the same for the keyboard. */
export function DropTarget({ className, onDrop, children }: DropTargetProps) {
  const [isOver, setOver] = useState(false);
  const accept = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void readDrop(event.dataTransfer).then(onDrop);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a button does the same
    <div
      className={className}
      data-over={isOver || undefined}
      onDragEnter={accept}
      onDragOver={accept}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(document.elementFromPoint(event.clientX, event.clientY)))
          setOver(false);
      }}
      onDrop={drop}
    >
      {children}
    </div>
  );
}
