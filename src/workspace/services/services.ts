import { type BinService, createBinService } from '../../catalog/bin/service.ts';
import type { HistoryContext } from '../../catalog/history/context.ts';
import { createHistoryService, type HistoryService } from '../../catalog/history/service.ts';
import { createManyItemsService, type ManyItemsService } from '../../catalog/many/service.ts';
import { createPublishedFiles, type PublishedFiles } from '../../catalog/published-files.ts';
import { type CatalogService, createCatalogContext, createCatalogService } from '../../catalog/service.ts';
import { type ConnectionService, createConnectionService } from '../../connections/service.ts';
import { createGroupService, type GroupService } from '../../identity/accounts/groups.ts';
import {
  createInvitationService,
  type InvitationContext,
  type InvitationService,
} from '../../identity/accounts/invitations.ts';
import {
  createOwnAccount,
  type OwnAccount,
  type OwnAccountContext,
} from '../../identity/accounts/own-account.ts';
import { createUserAccess, type UserAccess } from '../../identity/accounts/user-access.ts';
import { createUserAccounts, type UserAccounts } from '../../identity/accounts/user-accounts.ts';
import { createUserChanges, type UserChanges } from '../../identity/accounts/user-changes.ts';
import { type AuditLog, createAuditLog } from '../../identity/audit/audit.ts';
import type { AccountContext } from '../../identity/context/account-context.ts';
import { type Announcements, createAnnouncements } from '../../identity/context/announcements.ts';
import { type AuditTrail, createAuditTrail } from '../../identity/context/audit-trail.ts';
import { createGrantPermissions } from '../../identity/grants/grant-permissions.ts';
import type { TargetFinder } from '../../identity/grants/grant-target.ts';
import { createGrantService, type GrantService } from '../../identity/grants/grants.ts';
import { createPasswords } from '../../identity/passwords/passwords.ts';
import { createAccountPermissions } from '../../identity/principal/account-permissions.ts';
import { createUserService, type UserService } from '../../identity/records/users.ts';
import { createSignInRequests, type SignInRequests } from '../../identity/saml/requests/requests.ts';
import {
  createSamlService,
  type SamlContext,
  type SamlService,
} from '../../identity/saml/settings/saml-service.ts';
import { createScimService, type ScimService } from '../../identity/scim/resources/scim-service.ts';
import { createSecrets } from '../../identity/secrets/secrets.ts';
import { createOwnerSignIn, type OwnerSignIn } from '../../identity/sessions/owner-sign-in.ts';
import { createSessionService, type SessionService } from '../../identity/sessions/sessions.ts';
import { createSignInService, type SignInService } from '../../identity/sessions/sign-in.ts';
import { createThrottle } from '../../identity/sessions/throttle.ts';
import { createSignOnService, type SignOnService } from '../../identity/sign-on/sign-on.ts';
import { createSignOnTests, type SignOnTests } from '../../identity/sign-on/sign-on-tests.ts';
import { createTokenService, type TokenService } from '../../identity/tokens/tokens.ts';
import { createProviderTrail, type ProviderTrail } from '../../provider-log/provider-trail.ts';
import { createQueryTrail, type QueryTrail } from '../../query-log/query-trail.ts';
import type { Settings } from '../../settings/read-settings.ts';
import { SETTINGS } from '../../settings/table.ts';
import type { Database } from '../../store/database.ts';
import { createUuidV7, type NewId } from '../../store/values/uuid.ts';
import type { Home } from '../home/home.ts';
import { readSettings } from '../home/home-config.ts';
import { createSamlAdmin, type SamlAdmin } from './saml-admin.ts';

/** Users, groups, tokens and grants with permission checks; the audit log; sign-in; provisioning. */
export interface AccountServices {
  readonly users: UserAccounts;
  readonly access: UserAccess;
  readonly invitations: InvitationService;
  readonly changes: UserChanges;
  readonly profile: OwnAccount;
  readonly groups: GroupService;
  readonly tokens: TokenService;
  readonly grants: GrantService;
  readonly audit: AuditTrail;
  readonly sessions: SessionService;
  readonly signIn: SignInService;
  readonly ownerSignIn: OwnerSignIn;
  readonly scim: ScimService;
  readonly saml: SamlService;
  readonly samlAdmin: SamlAdmin;
  readonly signOn: SignOnService;
  readonly signOnTests: SignOnTests;
  /** Sign-ins that wait for a response of an identity provider. */
  readonly signInRequests: SignInRequests;
}

export interface Services {
  readonly catalog: CatalogService;
  readonly history: HistoryService;
  readonly bin: BinService;
  readonly manyItems: ManyItemsService;
  readonly published: PublishedFiles;
  readonly connections: ConnectionService;
  /** Accounts without permission checks. */
  readonly users: UserService;
  readonly audit: AuditLog;
  readonly accounts: AccountServices;
  readonly queries: QueryTrail;
  readonly providers: ProviderTrail;
  /** Notifications of withdrawn permissions, sent after the commit. */
  readonly announcements: Announcements;
  readonly findSettings: FindSettings;
  /** Like that of the database. */
  readonly readChangeMark: Database['readChangeMark'];
  readonly newId: NewId;
}

/** Returns the current settings. */
export type FindSettings = () => Settings;

/** The connected services of a home's open database; without `findSettings`, settings are read from `config.toml`. */
export function createServices(
  database: Database,
  home: Home,
  findSettings: FindSettings = () => readSettings({ home: home.folder }),
): Services {
  const { readChangeMark } = database;
  const clock = () => new Date();
  const newId = createUuidV7(clock);
  const audit = createAuditLog(database, clock, newId);
  const grants = createGrantPermissions({ database, clock, newId, audit });
  const catalogContext = createCatalogContext({
    database,
    permissions: grants.catalog,
    mayChange: (principal, change) => connections.mayChangeModels(principal, change),
    findHistoryLimit: once(() => findSettings().get(SETTINGS.catalogHistory)),
    findBinDays: once(() => findSettings().get(SETTINGS.catalogBinDays)),
    clock,
    newId,
  });
  const catalog = createCatalogService(catalogContext);
  const onCreated = (user: { readonly id: string }) => catalog.createHome(user.id);
  const defaultRole = once(() => findSettings().get(SETTINGS.defaultRole));
  const users = createUserService({ database, clock, newId, onCreated, defaultRole });
  const announcements = createAnnouncements(database);
  const permissions = createAccountPermissions();
  const context = { database, clock, newId, users, audit, announcements, permissions };
  const secrets = createSecrets({ folder: home.folder, variable: findSettings().get(SETTINGS.masterKey) });
  const connections: ConnectionService = createConnectionService({
    database,
    permissions: grants.connections,
    secrets,
    audit,
    announcements,
    clock,
    newId,
    duckdbFile: home.duckdb,
    checkVisible: catalog.checkVisible,
  });
  const targets: TargetFinder = {
    findItem: catalog.locate,
    findConnection: connections.locate,
    printItem: catalog.printPath,
    printConnection: connections.printName,
  };
  const findBaseUrl = once(() => findSettings().get(SETTINGS.baseUrl) ?? null);
  const { saml, ...besideSaml } = createSaml({ ...context, secrets, findBaseUrl }, findSettings);
  const sessions = createSessionService(context);
  const throttle = createThrottle(database, clock);
  const isSsoOnly = () => saml.findSettings()?.ssoOnly === true;
  const signing = { ...context, sessions, throttle, passwords: createPasswords(), isSsoOnly };
  const changing = { ...signing, onDelete: ({ id }: { readonly id: string }) => catalog.deleteHome(id) };
  const logs = createLogTrails(home, context);
  const accounts: AccountServices = {
    users: createUserAccounts(changing),
    ...createSignIns({ ...changing, findBaseUrl, isHomeEmpty: catalog.isHomeEmpty }),
    tokens: createTokenService(context),
    grants: createGrantService({ ...context, grants, targets }),
    audit: createAuditTrail(context),
    sessions,
    scim: createScimService(changing),
    saml,
    ...besideSaml,
    signOn: createSignOnService({ ...context, sessions }),
    signInRequests: createSignInRequests(database, clock),
  };
  const tools = { findSettings, readChangeMark, newId };
  const content = { catalog, ...createContentServices({ ...catalogContext, audit }, home) };
  return { ...content, connections, users, audit, accounts, ...logs, announcements, ...tools };
}

/** What the catalog keeps of its items in addition. */
function createContentServices(
  context: HistoryContext,
  home: Home,
): Pick<Services, 'history' | 'bin' | 'manyItems' | 'published'> {
  return {
    history: createHistoryService(context),
    bin: createBinService(context),
    manyItems: createManyItemsService(context),
    published: createPublishedFiles(context, home.publish),
  };
}

/** The logs that a server writes next to the catalog. */
function createLogTrails(home: Home, context: AccountContext): Pick<Services, 'queries' | 'providers'> {
  return {
    queries: createQueryTrail(home.queries, context),
    providers: createProviderTrail(home.providers, context),
  };
}

/** How users sign in, and what they do with their own accounts. */
function createSignIns(
  context: Omit<InvitationContext, 'groups'> & Omit<OwnAccountContext, 'signIn'>,
): Pick<
  AccountServices,
  'signIn' | 'ownerSignIn' | 'profile' | 'groups' | 'invitations' | 'access' | 'changes'
> {
  const groups = createGroupService(context);
  const access = createUserAccess(context);
  const signIn = createSignInService(context);
  return {
    signIn,
    ownerSignIn: createOwnerSignIn(context),
    profile: createOwnAccount({ ...context, signIn }),
    groups,
    access,
    changes: createUserChanges({ ...context, groups, access }),
    invitations: createInvitationService({ ...context, groups }),
  };
}

/** The settings of SAML, and the operations of administrators on them. */
function createSaml(
  context: Omit<SamlContext, 'bindsSuperUsers'>,
  findSettings: FindSettings,
): Pick<AccountServices, 'saml' | 'samlAdmin' | 'signOnTests'> {
  const saml = createSamlService({
    ...context,
    bindsSuperUsers: () => findSettings().get(SETTINGS.bindSuperUsers),
  });
  const signOnTests = createSignOnTests(context);
  return { saml, signOnTests, samlAdmin: createSamlAdmin(context, saml, signOnTests) };
}

/** Computes a value on first use and caches it. */
function once<Value>(find: () => Value): () => Value {
  let cache: { readonly value: Value } | undefined;
  return () => {
    cache ??= { value: find() };
    return cache.value;
  };
}
