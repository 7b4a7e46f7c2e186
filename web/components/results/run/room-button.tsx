import { ActionIcon } from '@mantine/core';
import { use } from 'react';
import { MaximizeIcon, MinimizeIcon } from '../../icons.tsx';
import { RoomContext } from './room-context.ts';

/** Gives the results all the room, or shows the text again; nothing where there is no text. */
export function RoomButton() {
  const room = use(RoomContext);
  if (room === null) return null;
  const label = room.isMaximized ? 'Show the text' : 'Maximize the results';
  return (
    <ActionIcon size={26} variant="default" aria-label={label} title={label} onClick={room.onToggle}>
      {room.isMaximized ? <MinimizeIcon size={16} /> : <MaximizeIcon size={16} />}
    </ActionIcon>
  );
}
