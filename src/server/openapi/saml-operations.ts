import { EXAMPLE_ID, type OperationText } from './operation-text.ts';

/** The operations on SAML settings, in the form of `OPERATIONS`. */
export const SAML_OPERATIONS: Readonly<Record<string, OperationText>> = {
  'GET /api/v1/manage/sso/saml': {
    id: 'getSaml',
    description:
      'Retrieves the SAML settings. Private keys are not returned. Returns 409 without an https base URL. For administrators.',
  },
  'PUT /api/v1/manage/sso/saml': {
    id: 'updateSaml',
    description:
      'Updates the SAML settings. Absent fields stay unchanged. The first update requires metadata and creates a certificate. For administrators.',
    body: { name: 'Contoso', jit: true, attributes: { groups: 'roles' } },
  },
  'POST /api/v1/manage/sso/saml/metadata/refresh': {
    id: 'refreshSamlMetadata',
    description:
      'Fetches the metadata from their URL. Changes are applied if `metadata_refresh` is `apply` and the entity ID is unchanged; otherwise they are returned as `pending_metadata`. For administrators.',
  },
  'POST /api/v1/manage/sso/saml/metadata/apply': {
    id: 'applySamlMetadata',
    description:
      'Applies the pending metadata that `digest` names. Returns 409 if other metadata are pending now. For administrators.',
    body: { digest: '0'.repeat(64) },
  },
  'POST /api/v1/manage/sso/saml/certificates': {
    id: 'renewSamlCertificate',
    description:
      'Creates a pending certificate. The metadata contain it next to the active one until it is activated. For administrators.',
  },
  'POST /api/v1/manage/sso/saml/certificates/activate': {
    id: 'activateSamlCertificate',
    description: 'Replaces the active certificate with the pending one. For administrators.',
  },
  'POST /api/v1/manage/sso/saml/links': {
    id: 'linkSamlUser',
    description: 'Links a user to a NameID of the identity provider. For administrators.',
    body: { user_name: 'ada', name_id: 'ada@example.org' },
  },
  'POST /api/v1/manage/sso/saml/tests': {
    id: 'startSamlTest',
    description:
      'Starts a test sign-in. A browser that opens `url` signs in at the identity provider only, not in Quern. For administrators.',
  },
  'GET /api/v1/manage/sso/saml/tests/{id}': {
    id: 'getSamlTest',
    description:
      'Retrieves a test sign-in of the caller: the received attributes, and the effect that a real sign-in would have on the account. It is stored for ten minutes.',
    parameters: { id: EXAMPLE_ID },
  },
  'DELETE /api/v1/manage/sso/saml': {
    id: 'deleteSaml',
    description: 'Deletes the SAML settings and certificates. Accounts are not deleted. For administrators.',
  },
};
