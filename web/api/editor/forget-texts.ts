import { createStore } from '../store.ts';
import { openClosedTexts } from './closed-texts.ts';
import { openDrafts } from './drafts.ts';
import { forgetResultsRoom } from './results-room.ts';
import { forgetRunSettings } from './run-settings.ts';

/** How often the texts of this browser were forgotten; an open editor then keeps nothing any more. */
export const forgotten = createStore(0);

/** Forgets all texts of a user in this browser, also those of the open tabs of this page. */
export async function forgetTexts(user: string): Promise<void> {
  forgotten.set(forgotten.get() + 1);
  await (await openDrafts()).forget(user);
  await (await openClosedTexts()).forget(user);
  forgetRunSettings(user);
  forgetResultsRoom(user);
}
