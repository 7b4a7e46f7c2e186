import type { FastifyReply } from 'fastify';
import type { Instance } from '../../workspace/instance/instance.ts';
import type { App } from '../http/typed-app.ts';

/** `GET /saml2/metadata`: the service provider's metadata; public, so that identity providers can fetch them. */
export function addPublicMetadata(app: App, { samlSignOn }: Instance): void {
  app.get('/saml2/metadata', async (_request, reply) =>
    reply.type('application/samlmetadata+xml').send(await samlSignOn.printMetadata()),
  );
}

const DOCUMENT = { schema: { scope: 'read' } };

/**
 * `POST /saml2/metadata` and `POST /saml2/certificate` (docs/reference/saml.md#endpoints): files for administrators.
 */
export function addDocuments(app: App, { samlSignOn }: Instance): void {
  app.post('/saml2/metadata', DOCUMENT, async (_request, reply) =>
    attach(reply, 'quern-metadata.xml', 'application/samlmetadata+xml').send(
      await samlSignOn.printMetadata(),
    ),
  );
  app.post('/saml2/certificate', DOCUMENT, async (_request, reply) =>
    attach(reply, 'quern-certificate.pem', 'application/x-pem-file').send(samlSignOn.getCertificate()),
  );
}

function attach(reply: FastifyReply, file: string, type: string): FastifyReply {
  return reply
    .header('content-disposition', `attachment; filename="${file}"`)
    .header('cache-control', 'no-store')
    .type(type);
}
