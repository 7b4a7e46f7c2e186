import { describe, expect, it } from 'vitest';
import { RESPONSE_CHECKS, SamlError } from '../../../../src/identity/saml/protocol/checks.ts';
import type { Attack } from './attacks/attack.ts';
import { PARSER_ATTACKS } from './attacks/parser.ts';
import { PROTOCOL_ATTACKS } from './attacks/protocol.ts';
import { SIGNATURE_ATTACKS } from './attacks/signature.ts';
import { TEXT_ATTACKS } from './attacks/text.ts';
import { WRAPPING_ATTACKS } from './attacks/wrapping.ts';
import { listRefusals, verify } from './world.ts';

const ALL: Readonly<Record<string, readonly Attack[]>> = {
  'signatures that are not the provider’s': SIGNATURE_ATTACKS,
  wrapping: WRAPPING_ATTACKS,
  'texts that mislead': TEXT_ATTACKS,
  'responses for somebody else': PROTOCOL_ATTACKS,
  'input for parsers': PARSER_ATTACKS,
};

for (const [title, attacks] of Object.entries(ALL)) {
  describe(`a SAML response: ${title}`, () => {
    it.each(attacks)(
      '$name is refused by the named checks, and accepted without them',
      ({ posted, checks, expected }) => {
        const text = posted();
        expect(() => verify(text, expected)).toThrow(SamlError);
        expect(listRefusals(text, expected)).toEqual(checks);
      },
    );
  });
}

describe('the table of attacks', () => {
  it('contains an attack for each check, which that check refuses first', () => {
    const first = new Set(Object.values(ALL).flatMap((attacks) => attacks.map(({ checks }) => checks[0])));
    const unused = Object.keys(RESPONSE_CHECKS).filter((check) => !first.has(check));
    // This check repeats the decisions of all others.
    expect(unused).toEqual(['same-assertion']);
  });
});
