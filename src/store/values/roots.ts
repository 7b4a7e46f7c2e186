/** The id of the `@Shared` root in every home (docs/reference/http-catalog.md#paths). */
export const SHARED_ROOT_ID = '00000000-0000-7000-8000-000000000001';

/** The id of the `@Project Hub` root in every home (docs/reference/http-catalog.md#paths). */
export const HUB_ROOT_ID = '00000000-0000-7000-8000-000000000002';

/** The id of a user's `@Personal` root is the id of the user, so that the owner is known without a look-up. */
export function homeRootId(userId: string): string {
  return userId;
}
