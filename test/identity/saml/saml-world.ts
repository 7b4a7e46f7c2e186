import { createCertificate } from '../../../src/identity/saml/metadata/create-certificate.ts';
import { createSamlService, type SamlService } from '../../../src/identity/saml/settings/saml-service.ts';
import { createSecrets } from '../../../src/identity/secrets/secrets.ts';
import { type AccountWorld, createAccountWorld, START, type WorldOptions } from '../account-world.ts';
import { printMetadata, toBase64 } from './metadata/documents.ts';

export const BASE_URL = 'https://quern.example.org';

/** A home with three users and its SAML settings, which are not configured yet. */
export interface SamlWorld extends AccountWorld {
  readonly saml: SamlService;
}

export interface SamlWorldOptions extends WorldOptions {
  readonly baseUrl?: string | null;
  /** The base URL in the environment. */
  readonly masterKey?: string;
}

export function createSamlWorld(options: SamlWorldOptions = {}): SamlWorld {
  const { baseUrl = BASE_URL, masterKey } = options;
  const world = createAccountWorld(options);
  const secrets = createSecrets({ folder: world.home, variable: masterKey });
  const saml = createSamlService({
    ...world,
    secrets,
    findBaseUrl: () => baseUrl,
    bindsSuperUsers: () => false,
  });
  return { ...world, saml };
}

/** Metadata of a provider with a new key, valid for ten years. */
export async function makeMetadata(made = START): Promise<string> {
  const { certificate } = await createCertificate('idp.example.org', { count: 10, unit: 'years' }, made);
  return printMetadata({ certificates: [toBase64(certificate)] });
}
