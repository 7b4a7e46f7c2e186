import { type Static, Type } from 'typebox';
import { SCIM_OUTCOMES } from '../../provider-log/entries.ts';
import { ScimRequestListSchema, SsoFailureListSchema } from '../../provider-log/provider-log-body.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { defineFields } from '../fields/define-fields.ts';
import { choice, queryCount, text } from '../fields/kinds.ts';
import { listFailures } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';

export type ScimRequestListResponse = Static<typeof ScimRequestListSchema>;
export type SsoFailureListResponse = Static<typeof SsoFailureListSchema>;

const PAGE = {
  limit: queryCount('Limit', { minimum: 1, maximum: 1000, description: 'Defaults to 100' }),
  after: text('After', Type.String({ description: 'Id of an entry; returns only older entries' })),
};

const requests = defineFields({
  outcome: choice('Outcome', SCIM_OUTCOMES, 'Only requests with this outcome'),
  q: text(
    'Q',
    Type.String({
      description:
        'Part of the name of the token, method, path, error, address or body, ignoring the case of ASCII letters',
    }),
  ),
  ...PAGE,
});

const failures = defineFields({
  reference: text('Reference', Type.String({ description: 'Reference on the page that the user saw' })),
  ...PAGE,
});

/** What identity providers have sent: the SCIM log and failed sign-ins, newest first. */
export function addProviderLog(app: App, { providers }: Instance): void {
  const listRequests = {
    tags: ['audit'],
    summary: 'List SCIM requests',
    operationId: 'listScimRequests',
    scope: 'read',
    description:
      'Lists the last 1,000 requests of provisioning with their outcome and body, newest first. Requests without a valid token are counted by address and hour. For administrators.',
    example: { parameters: { outcome: 'failed', limit: 10 } },
    querystring: requests.schema,
    response: { 200: ScimRequestListSchema, ...listFailures(400, 403) },
  };
  app.get('/manage/scim/requests', { schema: listRequests }, ({ principal, query }) =>
    providers.listRequests(principal, requests.read(query)),
  );
  const listSsoFailures = {
    tags: ['audit'],
    summary: 'List failed single sign-ons',
    operationId: 'listSsoFailures',
    scope: 'read',
    description:
      'Lists the sign-ins that single sign-on has refused in the last 30 days, newest first. Responses without a valid signature are counted by address and hour. For administrators.',
    example: { parameters: { limit: 10 } },
    querystring: failures.schema,
    response: { 200: SsoFailureListSchema, ...listFailures(400, 403) },
  };
  app.get('/manage/sso/failures', { schema: listSsoFailures }, ({ principal, query }) =>
    providers.listFailures(principal, failures.read(query)),
  );
}
