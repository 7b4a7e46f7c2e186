import { describe } from 'vitest';
import { hasSimplesamlphp, startSimplesamlphp } from '../../support/sso/simplesamlphp.ts';
import { testFlows } from './flows.ts';
import { canSignInAt, shareSsoWorld } from './instance.ts';

const isHere = canSignInAt('SimpleSAMLphp', { SimpleSAMLphp: hasSimplesamlphp });

describe.skipIf(!isHere)('SAML with SimpleSAMLphp', { timeout: 180_000 }, () => {
  testFlows(shareSsoWorld(startSimplesamlphp));
});
