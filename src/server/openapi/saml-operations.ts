import type { OperationText } from './operation-text.ts';

/** The operations on the settings of SAML, as `OPERATIONS` has them. */
export const SAML_OPERATIONS: Readonly<Record<string, OperationText>> = {
  'GET /api/v1/manage/sso/saml': {
    id: 'getSaml',
    description:
      'Reads how people sign in by SAML, for administrators. No key is answered. Without an https base URL, 409.',
  },
  'PUT /api/v1/manage/sso/saml': {
    id: 'updateSaml',
    description:
      'Changes the settings of SAML that are given, for administrators. The first time, metadata are required, and a certificate is created.',
    body: { name: 'Contoso', jit: true, attributes: { groups: 'roles' } },
  },
  'POST /api/v1/manage/sso/saml/metadata/refresh': {
    id: 'refreshSamlMetadata',
    description:
      'Reads the metadata at their URL again, for administrators. What has changed is applied where `metadata_refresh` is `apply` and the entity ID is the same; else it is answered as `pending_metadata`.',
  },
  'POST /api/v1/manage/sso/saml/metadata/apply': {
    id: 'applySamlMetadata',
    description:
      'Applies the metadata that `digest` names, for administrators; 409 where other metadata are waiting by now.',
    body: { digest: '0'.repeat(64) },
  },
  'POST /api/v1/manage/sso/saml/certificates': {
    id: 'renewSamlCertificate',
    description:
      'Creates a certificate that is published beside the active one until it is activated, for administrators.',
  },
  'POST /api/v1/manage/sso/saml/certificates/activate': {
    id: 'activateSamlCertificate',
    description: 'Puts the pending certificate in place of the active one, for administrators.',
  },
  'POST /api/v1/manage/sso/saml/links': {
    id: 'linkSamlUser',
    description: 'Links a user to a NameID of the identity provider, for administrators.',
    body: { user_name: 'ada', name_id: 'ada@example.org' },
  },
  'POST /api/v1/manage/sso/saml/tests': {
    id: 'startSamlTest',
    description:
      'Begins a test sign-in, for administrators. A browser that opens `url` signs in at the identity provider, and nowhere else.',
  },
  'GET /api/v1/manage/sso/saml/tests/{id}': {
    id: 'getSamlTest',
    description:
      'Reads a test sign-in that the caller has begun: the attributes received, and what would become of the account. It is kept for ten minutes.',
    parameters: { id: '0195f6a2-0000-7000-8000-000000000000' },
  },
  'DELETE /api/v1/manage/sso/saml': {
    id: 'deleteSaml',
    description: 'Deletes the settings and the certificates of SAML, for administrators. Accounts stay.',
  },
};
