import { ServiceError } from '../../../errors/service-error.ts';

/** Metadata that say of no identity provider how to sign in there (interface 5.2). */
export function metadataInvalid(reason: string): ServiceError {
  return new ServiceError(422, 'saml_metadata_invalid', `Invalid identity provider metadata: ${reason}`, {
    hint: 'download the metadata of the identity provider again, and upload the file as it is',
  });
}
