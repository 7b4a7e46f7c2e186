import { createContext } from 'react';

/** The room of results next to a text. */
interface Room {
  /** Whether the results have all the room. */
  readonly isMaximized: boolean;
  /** Gives them all the room, or shows the text again. */
  readonly onToggle: () => void;
}

/** The room of the results; null where there is no text. */
export const RoomContext = createContext<Room | null>(null);

/**
 * Where a run of one statement shows what can be done with its rows: an element in the row of its state, null before it
 * exists; undefined for a row below.
 */
export const ToolbarContext = createContext<HTMLElement | null | undefined>(undefined);
