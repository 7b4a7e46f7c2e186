import { describe } from 'vitest';
import { hasKeycloak, startKeycloak } from '../../support/sso/keycloak.ts';
import { testFlows } from './flows.ts';
import { canSignInAt, shareSsoWorld } from './instance.ts';

const isHere = canSignInAt('Keycloak', { Keycloak: hasKeycloak });

describe.skipIf(!isHere)('SAML with Keycloak', { timeout: 180_000 }, () => {
  testFlows(shareSsoWorld(startKeycloak));
});
