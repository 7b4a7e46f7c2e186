import type { ExecWorld } from './world.ts';

const SCIM_USERS = '/api/v1/scim/v2/Users';

/** The path of the user `ada` for an identity provider. */
async function findAda({ ask }: ExecWorld): Promise<string> {
  const { body } = await ask('GET', `${SCIM_USERS}?filter=userName+eq+"ada"`);
  const [ada] = (body as { Resources: readonly { id: string }[] }).Resources;
  return `${SCIM_USERS}/${ada!.id}`;
}

/** Changes that withdraw a right of an execution of the user `ada`, with names for test titles. */
export const WITHDRAWALS: readonly (readonly [string, (world: ExecWorld) => Promise<{ status: number }>])[] =
  [
    [
      'its user is disabled',
      ({ ask }) => ask('PUT', '/api/v1/manage/users/ada', { body: { active: false } }),
    ],
    ['its user is deleted', ({ ask }) => ask('DELETE', '/api/v1/manage/users/ada')],
    [
      'its user is deactivated by an identity provider',
      async (world) => {
        const Operations = [{ op: 'Replace', path: 'active', value: 'False' }];
        return world.ask('PATCH', await findAda(world), { body: { Operations } });
      },
    ],
    [
      'its user is deactivated by an identity provider that replaces the user',
      async (world) => world.ask('PUT', await findAda(world), { body: { userName: 'ada', active: false } }),
    ],
    [
      'its user is deleted by an identity provider',
      async (world) => world.ask('DELETE', await findAda(world)),
    ],
    ['its token is deleted', ({ ask }) => ask('DELETE', '/api/v1/manage/tokens/tests?owner=ada')],
    [
      'its user loses the right to the connection',
      ({ ask }) => ask('DELETE', '/api/v1/manage/grants?subject=everyone&target=connection:duckdb'),
    ],
  ];
