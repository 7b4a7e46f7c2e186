import { ServiceError } from '../../../errors/service-error.ts';

/**
 * The metadata does not describe how to sign in at an identity provider
 * (docs/reference/saml.md#metadata-of-the-identity-provider).
 */
export function metadataInvalid(reason: string): ServiceError {
  return new ServiceError(422, 'saml_metadata_invalid', `Invalid identity provider metadata: ${reason}`, {
    hint: 'download the metadata of the identity provider again, and upload the file as it is',
  });
}
