import { assertion, attribute, NAME_ID, response, signElement, subject } from '../identity-provider.ts';
import { signers } from '../world.ts';
import { type Attack, attack, signed } from './attack.ts';

const named = (text: string) =>
  signed({ subject: subject({ nameId: NAME_ID.replace('ann@example.com', text) }) });
const statement = (...attributes: readonly string[]) =>
  signed({ statement: `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>` });

/** Texts that two readers understand differently, or that have several values. */
export const TEXT_ATTACKS: readonly Attack[] = [
  attack('a comment in the NameID', () => signed().replace('ann@example.com', 'ann@example.com<!---->'), [
    'markup',
  ]),
  attack(
    'a comment that truncates the NameID',
    () =>
      named('admin@example.com.evil.org').replace(
        'admin@example.com.evil.org',
        'admin@example.com<!-- -->.evil.org',
      ),
    ['markup'],
  ),
  attack('CDATA in the NameID', () => signed().replace('ann@', '<![CDATA[ann]]>@'), ['markup']),
  attack(
    'a processing instruction in the NameID',
    () => signed().replace('ann@example.com', 'ann@example.com<?x y?>'),
    ['markup', 'unreadable'],
  ),
  attack('a comment in a group', () => signed().replace('>finance<', '>fin<!-- -->ance<'), ['markup']),
  attack('CDATA in a group', () => signed().replace('>finance<', '>fin<![CDATA[ance]]><'), ['markup']),
  attack('a processing instruction in a group', () => signed().replace('>finance<', '>fin<?x y?>ance<'), [
    'markup',
    'unreadable',
  ]),
  attack('a space within the address', () => named('ann lee@example.com'), ['name-id']),
  attack('two addresses', () => named('ann@example.com,admin@example.com'), ['name-id']),
  attack('a line break within the address', () => named('ann@example.com&#10;admin@example.com'), [
    'name-id',
  ]),
  attack('a control character', () => named('ann@example.com\u0085'), ['signature', 'name-id']),
  attack('a similar-looking letter', () => named('\u0430nn@example.com'), ['name-id']),
  attack('letters without width', () => named('ann\u200b@example.com'), ['name-id']),
  attack('an address of 300 characters', () => named(`ann@${'example.'.repeat(37)}com`), ['name-id']),
  attack('a name without @', () => named('ann'), ['name-id']),
  attack('an empty NameID', () => named(''), ['name-id']),
  attack('an element in the NameID', () => named('<x xmlns="">ann@example.com</x>'), ['schema', 'name-id']),
  attack(
    'two NameIDs',
    () => signed({ subject: subject({ nameId: NAME_ID + NAME_ID.replace('ann@', 'admin@') }) }),
    ['schema', 'name-id'],
  ),
  attack(
    'a mapped attribute twice',
    () => statement(attribute('username', 'ann'), attribute('username', 'admin')),
    ['attributes'],
  ),
  attack('a mapped attribute with two values', () => statement(attribute('firstName', 'Ann', 'Eve')), [
    'attributes',
  ]),
  attack('an instruction in front of the response', () => `<?xml-stylesheet href="x"?>${signed()}`, [
    'markup',
  ]),
  attack(
    'an encrypted attribute',
    () =>
      signElement(
        response({
          assertion: assertion({
            statement:
              '<saml:AttributeStatement><saml:EncryptedAttribute><xenc:EncryptedData xmlns:xenc="http://www.w3.org/2001/04/xmlenc#"><xenc:CipherData><xenc:CipherValue>AA==</xenc:CipherValue></xenc:CipherData></xenc:EncryptedData></saml:EncryptedAttribute></saml:AttributeStatement>',
          }),
        }),
        signers.own,
      ),
    ['encryption'],
  ),
  attack('white space around the address', () => named(' ann@example.com\n'), ['name-id']),
];
