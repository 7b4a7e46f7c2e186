import { expect, it } from 'vitest';
import { SamlError } from '../../../../src/identity/saml/protocol/checks.ts';
import { signed } from './attacks/attack.ts';
import { conditions, NAME_ID, post, response, signElement, subject } from './identity-provider.ts';
import { signers, verify } from './world.ts';

const ANN = { nameId: 'ann@example.com', email: 'ann@example.com' };
const named = (nameId: string) => () => signed({ subject: subject({ nameId }) });

it.each<[check: string, xml: () => string, user: SamlError['user']]>([
  ['audience', () => signed({ conditions: conditions({ audiences: ['https://other.example.org'] }) }), ANN],
  ['name-id-format', named(NAME_ID.replace('emailAddress', 'persistent')), ANN],
  ['name-id', named(NAME_ID.replace('ann@example.com', 'ann')), { nameId: 'ann', email: null }],
  ['name-id', named(''), { nameId: null, email: null }],
  ['key', () => signElement(response(), signers.foreign), null],
  ['digest', () => signed().replaceAll('ann@example.com', 'bob@example.com'), null],
  ['signatures', () => response(), null],
])('a refusal by the check %s, case %#, names the user only of a signed assertion', (check, xml, user) => {
  const posted = post(xml());
  const refuse = () => {
    try {
      return verify(posted);
    } catch (error) {
      return error;
    }
  };
  const error = refuse();
  expect(error).toBeInstanceOf(SamlError);
  expect(error).toMatchObject({ check, user });
});
