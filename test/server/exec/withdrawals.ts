import type { ExecWorld } from './world.ts';

/** What takes away a right by which an execution of the user `ada` runs, by names that tests give it. */
export const WITHDRAWALS: readonly (readonly [string, (world: ExecWorld) => Promise<{ status: number }>])[] =
  [
    [
      'its user is disabled',
      ({ ask }) => ask('PUT', '/api/v1/manage/users/ada', { body: { active: false } }),
    ],
    ['its user is gone', ({ ask }) => ask('DELETE', '/api/v1/manage/users/ada')],
    ['its token is deleted', ({ ask }) => ask('DELETE', '/api/v1/manage/tokens/tests?owner=ada')],
    [
      'its user may not use the connection any more',
      ({ ask }) => ask('DELETE', '/api/v1/manage/grants?subject=everyone&target=connection:duckdb'),
    ],
  ];
