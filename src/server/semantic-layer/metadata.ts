import { MetadataSchema } from '../../semantic/metadata/metadata-body.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { listFailures } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';
import { ConnectionParams } from './schemas.ts';

/** `GET /semantic-layer/metadata/{connection_name}` (docs/reference/semantic-http.md#metadata-of-a-model). */
export function addMetadata(app: App, { semantic }: Instance): void {
  const schema = {
    tags: ['semantic layer'],
    summary: 'Retrieve the semantic model of a connection',
    operationId: 'getSemanticModel',
    scope: 'read',
    description: 'Retrieves the entities, dimensions, measures and relationships of a semantic connection.',
    example: { parameters: { connection_name: 'shop' } },
    params: ConnectionParams,
    response: { 200: MetadataSchema, ...listFailures(400, 403, 422) },
  };
  app.get('/semantic-layer/metadata/:connection_name', { schema }, async (request, reply) => {
    const target = { kind: 'connection', name: request.params.connection_name } as const;
    const bytes = await semantic.metadata(request.principal, target);
    // The bytes are JSON that already conforms to the schema.
    return reply.header('content-type', 'application/json; charset=utf-8').send(bytes as never);
  });
}
