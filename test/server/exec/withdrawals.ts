import type { ExecWorld } from './world.ts';

const SCIM_USERS = '/api/v1/scim/v2/Users';

/** What an identity provider calls the user `ada`. */
async function findAda({ ask }: ExecWorld): Promise<string> {
  const { body } = await ask('GET', `${SCIM_USERS}?filter=userName+eq+"ada"`);
  const [ada] = (body as { Resources: readonly { id: string }[] }).Resources;
  return `${SCIM_USERS}/${ada!.id}`;
}

/** What takes away a right by which an execution of the user `ada` runs, by names that tests give it. */
export const WITHDRAWALS: readonly (readonly [string, (world: ExecWorld) => Promise<{ status: number }>])[] =
  [
    [
      'its user is disabled',
      ({ ask }) => ask('PUT', '/api/v1/manage/users/ada', { body: { active: false } }),
    ],
    ['its user is gone', ({ ask }) => ask('DELETE', '/api/v1/manage/users/ada')],
    [
      'its user is deactivated by an identity provider',
      async (world) => {
        const Operations = [{ op: 'Replace', path: 'active', value: 'False' }];
        return world.ask('PATCH', await findAda(world), { body: { Operations } });
      },
    ],
    [
      'its user is deactivated by an identity provider that replaces',
      async (world) => world.ask('PUT', await findAda(world), { body: { userName: 'ada', active: false } }),
    ],
    [
      'its user is deleted by an identity provider',
      async (world) => world.ask('DELETE', await findAda(world)),
    ],
    ['its token is deleted', ({ ask }) => ask('DELETE', '/api/v1/manage/tokens/tests?owner=ada')],
    [
      'its user may not use the connection any more',
      ({ ask }) => ask('DELETE', '/api/v1/manage/grants?subject=everyone&target=connection:duckdb'),
    ],
  ];
