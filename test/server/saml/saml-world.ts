import { randomUUID } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { expect } from 'vitest';
import { toPrincipal } from '../../../src/identity/records/users.ts';
import type { SamlChange } from '../../../src/identity/saml/settings/saml-service.ts';
import { present } from '../../../src/invariants/must.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { homeAt } from '../../../src/workspace/home/home.ts';
import { readSettings } from '../../../src/workspace/home/home-config.ts';
import { type AccountServices, createServices } from '../../../src/workspace/services/services.ts';
import { printMetadata } from '../../identity/saml/metadata/documents.ts';
import {
  assertion,
  attribute,
  CALLBACK,
  conditions,
  createSigner,
  ENTITY_ID,
  ISSUER,
  NAME_ID,
  post,
  response,
  type Signer,
  signElement,
  subject,
} from '../../identity/saml/protocol/identity-provider.ts';
import type { Answer } from '../../support/http.ts';
import { createWorld, type World } from '../world.ts';

export const signer = createSigner('idp');

/** A server with SAML, whose identity provider is this process. */
export interface SamlWorld extends World {
  readonly accounts: AccountServices;
  readonly administrator: ReturnType<typeof toPrincipal>;
  /** Starts a sign-in at the identity provider; `cookie` is one of the browser. */
  begin(target?: string, cookie?: string): Promise<Sent>;
  /** Posts an answer as a browser does. */
  answer(posted: string, cookie?: string, more?: string): Promise<Answer>;
}

/** A browser during a sign-in: its cookie, and its request. */
interface Sent {
  readonly cookie: string;
  readonly requestId: string;
  readonly xml: string;
  readonly location: URL;
}

/** Starts a server with these settings of SAML instead of the defaults. */
export async function createSamlWorld(change: Partial<SamlChange> = {}): Promise<SamlWorld> {
  const world = await createWorld({ baseUrl: ENTITY_ID });
  const home = homeAt(world.home);
  const database = openDatabase(world.home, { clock: () => new Date() });
  const { accounts, users } = createServices(database, home, () =>
    readSettings({ home: home.folder, flags: { baseUrl: ENTITY_ID } }),
  );
  const administrator = toPrincipal(present(users.findOwner()));
  const metadata = printMetadata({ entityId: ISSUER, certificates: [signer.certificate] });
  await accounts.saml.set(administrator, { metadata, jit: true, ...change });
  return {
    ...world,
    accounts,
    administrator,
    begin: async (target = '/api/auth/login/saml2', cookie) => {
      const headers = { token: null, headers: cookie === undefined ? {} : { cookie } };
      const sent = await world.ask('GET', target, headers);
      expect(sent.status, sent.text).toBe(302);
      const location = new URL(present(sent.headers.location));
      const message = Buffer.from(location.searchParams.get('SAMLRequest') ?? '', 'base64');
      const xml = inflateRawSync(message).toString();
      const requestId = / ID="([^"]+)"/.exec(xml)?.[1] ?? '';
      return { cookie: readCookie(sent, '__Host-saml'), requestId, xml, location };
    },
    answer: (posted, cookie, more = '') =>
      world.ask('POST', '/api/saml2/callback?client_name=SAML2Client', {
        token: null,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...(cookie === undefined ? {} : { cookie }),
        },
        body: `SAMLResponse=${encodeURIComponent(posted)}&RelayState=https%3A%2F%2Fevil.example.com${more}`,
      }),
  };
}

/** A cookie of an answer, as a browser sends it back. */
export function readCookie({ headers }: Answer, name: string): string {
  const cookie = (headers['set-cookie'] ?? []).find((line) => line.startsWith(`${name}=`));
  return cookie?.split(';', 1)[0] ?? '';
}

/** The assertion of the identity provider about a user. */
export interface Assertion {
  readonly email?: string;
  readonly groups?: readonly string[];
  readonly userName?: string;
  readonly signer?: Signer;
  /** Attributes of the assertion. */
  readonly id?: string;
}

/** The answer to a request, signed with the current time. */
export function answerTo(requestId: string, values: Assertion = {}): string {
  const { email = 'ann@example.com', groups = [], userName = 'ann', signer: own = signer } = values;
  const { id = `_${randomUUID()}` } = values;
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
  const head = `Version="2.0" IssueInstant="${at(0)}"`;
  const inside = assertion({
    attributes: `ID="${id}" ${head}`,
    subject: subject({
      nameId: NAME_ID.replace('ann@example.com', email),
      data: `NotOnOrAfter="${at(60)}" Recipient="${CALLBACK}" InResponseTo="${requestId}"`,
    }),
    conditions: conditions({ times: `NotBefore="${at(-5)}" NotOnOrAfter="${at(60)}"` }),
    statement: `<saml:AttributeStatement>${attribute('username', userName)}${attribute('firstName', 'Ann')}${attribute('lastName', 'Lee')}${attribute('groups', ...groups)}</saml:AttributeStatement>`,
  });
  const around = `ID="_${randomUUID()}" ${head} Destination="${CALLBACK}" InResponseTo="${requestId}"`;
  return post(signElement(response({ attributes: around, assertion: inside }), own, { id }));
}
