import type { Principal } from '../identity/principal/principal.ts';
import type { CatalogContext } from './context.ts';
import { pathNotFound } from './errors.ts';

/** The item of a change, and the path that the caller used. */
interface ChangedPlace {
  /** The path in the form of responses. */
  readonly path: string;
  /** The path for the error message. */
  readonly text: string;
}

/** Checks that a principal with EDIT may create, write or delete the item. Throws 404. */
export function checkChange(context: CatalogContext, principal: Principal, place: ChangedPlace): void {
  check(context, principal, place, false);
}

/** Like `checkChange`, for an item that moves with everything below it. Throws 404. */
export function checkMove(context: CatalogContext, principal: Principal, ...places: ChangedPlace[]): void {
  for (const place of places) check(context, principal, place, true);
}

function check(
  { mayChange }: CatalogContext,
  principal: Principal,
  { path, text }: ChangedPlace,
  withBelow: boolean,
): void {
  if (!mayChange(principal, { path, withBelow })) throw pathNotFound(text);
}
