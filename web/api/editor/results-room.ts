import { forgetKeptTexts, keepOfText, readKeptTexts } from './kept-per-text.ts';

/** How much room the results of a text have, which this browser remembers. */
export interface ResultsRoom {
  /** Their height, in percent of the place for both; null for what the text does not need. */
  readonly share: number | null;
  /** Whether they have all the room, and the text is hidden. */
  readonly isMaximized: boolean;
}

const NAME = 'quern-results-room/';

/** The room of the results of a text. */
export function readResultsRoom(user: string, key: string): ResultsRoom {
  const kept = readKeptTexts(NAME + user, isRoom).find(([known]) => known === key)?.[1];
  return kept ?? { share: null, isMaximized: false };
}

/** Remembers the room of the results of a text. */
export function writeResultsRoom(user: string, key: string, room: ResultsRoom): void {
  keepOfText(NAME + user, readKeptTexts(NAME + user, isRoom), key, room);
}

/** Forgets the room of the results of all texts. */
export function forgetResultsRoom(user: string): void {
  forgetKeptTexts(NAME + user);
}

function isRoom(room: unknown): room is ResultsRoom {
  return (
    typeof room === 'object' &&
    room !== null &&
    'share' in room &&
    (room.share === null || (typeof room.share === 'number' && room.share > 0 && room.share < 100)) &&
    'isMaximized' in room &&
    typeof room.isMaximized === 'boolean'
  );
}
