import type { Static } from 'typebox';
import { ServerStatusSchema } from '../../workspace/api/status-body.ts';
import { listFailures } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';

export type ServerStatusResponse = Static<typeof ServerStatusSchema>;

/** `GET /manage/server`: the state of the server and of its home (docs/guides/server.md#the-state-of-the-server). */
export function addServer(app: App): void {
  const schema = {
    tags: ['operations'],
    summary: 'Retrieve the state of the server',
    operationId: 'getServer',
    scope: 'read',
    description:
      'Returns the version of the server, the health of its parts with the reasons, the sizes of the home, and the use of limits. For administrators.',
    response: { 200: ServerStatusSchema, ...listFailures(403) },
  };
  app.get('/manage/server', { schema }, ({ server, principal }) => server.readStatus(principal));
}
