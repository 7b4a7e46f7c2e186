import type { Principal } from '../identity/principal/principal.ts';
import type { CatalogContext } from './context.ts';
import { pathNotFound } from './errors.ts';

/** Where a change is, and how the caller has called it. */
interface ChangedPlace {
  /** As answered. */
  readonly path: string;
  /** The path that the refusal tells. */
  readonly text: string;
}

/** Checks that a principal who may edit a place may make, write or delete what is there. Throws 404. */
export function checkChange(context: CatalogContext, principal: Principal, place: ChangedPlace): void {
  check(context, principal, place, false);
}

/** As `checkChange`, for what leaves a place or comes to it with all that is below. Throws 404. */
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
