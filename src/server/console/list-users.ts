import type { App } from '../http/typed-app.ts';

/** `GET users`: the possible owners of tokens; for administrators. */
export function addListUsers(app: App): void {
  app.get('/users', async (request) => {
    const users = await request.api.accounts.users.list();
    return {
      data: users.map(({ user_name, display_name, active }) => ({ user_name, display_name, active })),
    };
  });
}
