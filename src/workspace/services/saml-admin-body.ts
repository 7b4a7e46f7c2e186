import { type Static, Type } from 'typebox';
import { SignOnTestSchema } from '../../identity/sign-on/test-body.ts';

const { id, ...others } = SignOnTestSchema.properties;

/** A test sign-in, and the URL where a browser starts it. */
export const SamlTestSchema = Type.Object(
  { id, url: Type.String({ description: 'URL that starts the sign-in in a browser' }), ...others },
  { title: 'SamlTest' },
);
export type SamlTestBody = Static<typeof SamlTestSchema>;

/** An account, and the identity provider's name for its user. */
export const SamlLinkSchema = Type.Object(
  { user_name: Type.String(), name_id: Type.String(), issuer: Type.String() },
  { title: 'SamlLink' },
);
export type SamlLinkBody = Static<typeof SamlLinkSchema>;
