import type { Principal } from '../../identity/principal/principal.ts';
import { toCallbackUrl, toLogoutUrl } from '../../identity/saml/metadata/service-provider.ts';
import { SamlError } from '../../identity/saml/protocol/checks.ts';
import type { BrowserMessage, Destination, Sender } from '../../identity/saml/protocol/create-request.ts';
import type { SamlSession, VerifiedResponse } from '../../identity/saml/protocol/expectations.ts';
import type { SignInRequests, TakenRequest } from '../../identity/saml/requests/requests.ts';
import { samlErrors } from '../../identity/saml/settings/errors.ts';
import type { SamlService } from '../../identity/saml/settings/saml-service.ts';
import { type SamlSettings, signsRequests } from '../../identity/saml/settings/settings.ts';
import { toNetwork } from '../../identity/sessions/client-address.ts';
import type { StartedSession } from '../../identity/sessions/sessions.ts';
import { signOnErrors } from '../../identity/sign-on/errors.ts';
import {
  type ProvenIdentity,
  SignOnError,
  type SignOnRules,
} from '../../identity/sign-on/proven-identity.ts';
import type { BrowserVisitor, SignOnService } from '../../identity/sign-on/sign-on.ts';
import type { SignOnTests } from '../../identity/sign-on/sign-on-tests.ts';
import type { TestOutcome } from '../../identity/sign-on/test-body.ts';
import type { SamlProtocol } from './saml-protocol.ts';

/** A redirect of a browser to the identity provider. `browser` is the state that the browser keeps until it returns. */
interface SentBrowser {
  readonly message: BrowserMessage;
  readonly browser: string;
}

/** The state of a browser's request. */
export interface BrowserState {
  readonly visitor: BrowserVisitor;
  /** The client's address, for rate limits. */
  readonly countedAt: string;
  /** The state that the browser has kept; undefined without one. */
  readonly browser: string | undefined;
}

/** A browser that returns from the identity provider. */
type ReturnedBrowser =
  | {
      readonly kind: 'signed-in';
      readonly principal: Principal;
      readonly session: StartedSession;
      readonly returnPath: string;
      /** Warnings for administrators. */
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'tested' };

/**
 * Sign-in and sign-out by SAML (docs/reference/saml-sign-in.md), without a principal. All methods reject with 404 where
 * SAML is not configured, 429 for too many concurrent calls, and a SamlError or SignOnError for a refused message.
 */
export interface SamlSignOn {
  /** `returnPath`: a path of this site; `testId`: the id of a test sign-in. */
  begin(state: BrowserState, returnPath: string, testId?: string): Promise<SentBrowser>;
  /** Throws 429 where `finish` would, before any work. */
  checkFree(state: BrowserState): void;
  /** `posted` is the field SAMLResponse. */
  finish(state: BrowserState, posted: string): Promise<ReturnedBrowser>;
  /**
   * Ends a session by `end`. Returns the URL that ends the session at the identity provider, too; null without such a
   * URL.
   */
  beginSignOut(
    state: BrowserState,
    sessionId: string,
    end: () => void,
  ): Promise<{ readonly url: string; readonly browser: string } | null>;
  /** Verifies that the identity provider has ended its session; `query` as it was received. */
  finishSignOut(state: BrowserState, query: string): Promise<void>;
  /** The metadata of this service provider as XML. */
  printMetadata(): Promise<string>;
  /** The certificate of this service provider as PEM. */
  getCertificate(): string;
}

/** Dependencies of the sign-on. */
export interface SamlSignOnContext {
  readonly saml: SamlService;
  readonly signOn: SignOnService;
  readonly requests: SignInRequests;
  readonly protocol: SamlProtocol;
  readonly tests: SignOnTests;
}

const PROVIDER = 'saml';

/** Creates the sign-on of an open home. */
export function createSamlSignOn(context: SamlSignOnContext): SamlSignOn {
  const { saml } = context;
  return {
    begin: (state, returnPath, testId) => begin(context, state, returnPath, testId),
    checkFree: ({ countedAt }) => context.protocol.checkFree(toNetwork(countedAt)),
    finish: (state, posted) => finish(context, state, posted),
    beginSignOut: (state, sessionId, end) => beginSignOut(context, state, sessionId, end),
    finishSignOut: (state, query) => finishSignOut(context, state, query),
    printMetadata: () => saml.printMetadata(),
    getCertificate: () => saml.getCertificate(),
  };
}

/** Settings and values derived from them. */
interface Configured {
  readonly settings: SamlSettings;
  readonly baseUrl: string;
  readonly entityId: string;
}

function getConfigured(context: SamlSignOnContext): Configured {
  const configured = findConfigured(context);
  if (configured === null) throw samlErrors.notConfigured();
  return configured;
}

function findConfigured({ saml }: SamlSignOnContext): Configured | null {
  const [settings, baseUrl] = [saml.findSettings(), saml.findBaseUrl()];
  if (settings === null || baseUrl === null) return null;
  return { settings, baseUrl, entityId: settings.entityId ?? baseUrl };
}

async function begin(
  context: SamlSignOnContext,
  state: BrowserState,
  returnPath: string,
  testId: string | undefined,
): Promise<SentBrowser> {
  const configured = getConfigured(context);
  const { signOn } = configured.settings.identityProvider;
  const to = toDestination(signOn.redirect, signOn.post);
  if (to === null) throw samlErrors.notConfigured();
  if (testId !== undefined && !context.tests.isWaiting(testId))
    throw signOnErrors.testNotFound(testId.slice(0, 100));
  const network = toNetwork(state.countedAt);
  const { id, browser } = context.requests.create({
    provider: PROVIDER,
    purpose: testId === undefined ? 'sign-in' : 'test',
    returnPath,
    testId,
    network,
    browser: state.browser,
  });
  const key = signsRequests(configured.settings) ? findKey(context) : null;
  const sender = toSender(configured, { id, to, key });
  const callbackUrl = toCallbackUrl(configured.baseUrl);
  const message = await context.protocol.ask({ kind: 'create-login', sender, callbackUrl }, network);
  return { message, browser };
}

/** The redirect binding is preferred: it needs no script. */
function toDestination(redirect: string | null, post: string | null): Destination | null {
  if (redirect !== null) return { binding: 'redirect', url: redirect };
  return post === null ? null : { binding: 'post', url: post };
}

function findKey({ saml }: SamlSignOnContext): Sender['key'] {
  return saml.findKeys()?.active ?? null;
}

function toSender({ entityId }: Configured, request: Pick<Sender, 'id' | 'to' | 'key'>): Sender {
  return { ...request, now: Date.now(), entityId };
}

async function finish(
  context: SamlSignOnContext,
  { visitor, countedAt, browser }: BrowserState,
  posted: string,
): Promise<ReturnedBrowser> {
  const { settings, baseUrl, entityId } = getConfigured(context);
  const expected = {
    callbackUrl: toCallbackUrl(baseUrl),
    entityId,
    identityProvider: toExpectedProvider(settings),
    attributes: settings.attributes,
    skewMs: settings.skewSeconds * 1000,
    now: Date.now(),
  };
  const response = await context.protocol
    .ask({ kind: 'verify-response', posted, expected }, toNetwork(countedAt))
    .catch((error: unknown) => failTest(context, browser, error));
  try {
    const request = takeRequest(context, response, browser);
    return enter(context, toIdentity(response, settings), { response, request, visitor });
  } catch (error) {
    const isRefusal = error instanceof SamlError || error instanceof SignOnError;
    if (isRefusal) error.user = { nameId: response.email, email: response.email };
    throw error;
  }
}

/** A verified response with the request that it answers. */
interface Answered {
  readonly response: VerifiedResponse;
  readonly request: TakenRequest;
  readonly visitor: BrowserVisitor;
}

/** Signs a user in, or finishes a test. */
function enter(
  context: SamlSignOnContext,
  identity: ProvenIdentity,
  { response, request: { purpose, returnPath, testId }, visitor }: Answered,
): ReturnedBrowser {
  const rules = context.saml.findRules();
  if (rules === null) throw samlErrors.notConfigured();
  if (purpose === 'test' && testId !== null) {
    context.tests.finish(testId, toOutcome(context, response, identity, rules));
    return { kind: 'tested' };
  }
  return { kind: 'signed-in', returnPath, ...context.signOn.signIn(identity, rules, visitor) };
}

/** The outcome of a test sign-in. */
function toOutcome(
  { signOn }: SamlSignOnContext,
  { attributes, email }: VerifiedResponse,
  identity: ProvenIdentity,
  rules: SignOnRules,
): TestOutcome {
  const { result, text } = signOn.preview(identity, rules);
  const names = Map.groupBy(attributes, ({ name }) => name);
  return {
    passed: result !== 'would-refuse',
    check: null,
    text,
    subject: email,
    attributes: Object.fromEntries(
      [...names].map(([name, all]) => [name, all.flatMap(({ values }) => values)]),
    ),
  };
}

/** Assigns a response that is refused before it is read to the browser's running test, if there is one. */
function failTest(
  { requests, tests }: SamlSignOnContext,
  browser: string | undefined,
  error: unknown,
): never {
  const testId = error instanceof SamlError ? requests.findTest(PROVIDER, browser) : null;
  if (testId !== null && error instanceof SamlError) {
    const { check, detail: text } = error;
    tests.finish(testId, { passed: false, check, text, subject: null, attributes: {} });
  }
  throw error;
}

/** Takes the request of a response; it cannot be used again, whatever the outcome. */
function takeRequest(
  { requests }: SamlSignOnContext,
  { inResponseTo, issuer, assertionId, expiresAt }: VerifiedResponse,
  browser: string | undefined,
): TakenRequest {
  const request = requests.take(inResponseTo, PROVIDER, browser);
  if (request === null || request.purpose === 'sign-out') {
    throw new SamlError('request', `no sign-in of this browser waits for a response to ${inResponseTo}`);
  }
  if (!requests.use(issuer, assertionId, expiresAt)) {
    throw new SamlError('replay', `the assertion ${assertionId} was used before`);
  }
  return request;
}

function toExpectedProvider({ identityProvider }: SamlSettings) {
  const certificates = identityProvider.certificates.map(({ der }) => der);
  return { entityId: identityProvider.entityId, certificates };
}

function toIdentity(response: VerifiedResponse, { groupSync }: SamlSettings): ProvenIdentity {
  const { issuer, email, userName, firstName, lastName, groups, sessionEndsAt } = response;
  return {
    provider: PROVIDER,
    issuer,
    subject: email,
    email,
    userName,
    firstName,
    lastName,
    groups: groupSync ? groups : null,
    sessionEndsAt: sessionEndsAt === null ? null : new Date(sessionEndsAt),
    detail: JSON.stringify(response.session),
  };
}

async function beginSignOut(
  context: SamlSignOnContext,
  state: BrowserState,
  sessionId: string,
  end: () => void,
) {
  const { signOn, requests, protocol } = context;
  const origin = signOn.findOrigin(sessionId);
  end();
  const configured = findConfigured(context);
  if (configured === null || origin?.provider !== PROVIDER) return null;
  const { logout, entityId: issuer } = configured.settings.identityProvider;
  // Only the identity provider that signed the user in knows the session.
  if (logout.redirect === null || origin.issuer !== issuer) return null;
  const network = toNetwork(state.countedAt);
  const { id, browser } = requests.create({
    provider: PROVIDER,
    purpose: 'sign-out',
    returnPath: '/login',
    network,
    browser: state.browser,
  });
  const to = { binding: 'redirect', url: logout.redirect } as const;
  const sender = toSender(configured, { id, to, key: findKey(context) });
  const session: SamlSession = JSON.parse(origin.detail);
  const message = await protocol.ask({ kind: 'create-logout', sender, session }, network);
  return { url: message.url, browser };
}

async function finishSignOut(
  context: SamlSignOnContext,
  { countedAt, browser }: BrowserState,
  query: string,
): Promise<void> {
  const { settings, baseUrl } = getConfigured(context);
  const expected = { logoutUrl: toLogoutUrl(baseUrl), identityProvider: toExpectedProvider(settings) };
  const { inResponseTo, isDone, status } = await context.protocol.ask(
    { kind: 'verify-logout', query, expected },
    toNetwork(countedAt),
  );
  const request = context.requests.take(inResponseTo, PROVIDER, browser);
  if (request?.purpose !== 'sign-out') {
    throw new SamlError('request', `no sign-out of this browser waits for a response to ${inResponseTo}`);
  }
  if (!isDone) throw new SamlError('logout-status', status);
}
