import { type CatalogService, createCatalogService } from '../../catalog/service.ts';
import { type ConnectionService, createConnectionService } from '../../connections/service.ts';
import { createGroupService, type GroupService } from '../../identity/accounts/groups.ts';
import { createUserAccounts, type UserAccounts } from '../../identity/accounts/user-accounts.ts';
import { type AuditLog, createAuditLog } from '../../identity/audit/audit.ts';
import { type Announcements, createAnnouncements } from '../../identity/context/announcements.ts';
import { type AuditTrail, createAuditTrail } from '../../identity/context/audit-trail.ts';
import { createGrantPermissions } from '../../identity/grants/grant-permissions.ts';
import type { TargetFinder } from '../../identity/grants/grant-target.ts';
import { createGrantService, type GrantService } from '../../identity/grants/grants.ts';
import { createPasswords } from '../../identity/passwords/passwords.ts';
import { createAccountPermissions } from '../../identity/principal/account-permissions.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { DEFAULT_ROLES, type DefaultRole } from '../../identity/principal/roles.ts';
import { createUserService, type UserService } from '../../identity/records/users.ts';
import { createSignInRequests, type SignInRequests } from '../../identity/saml/requests/requests.ts';
import { createSamlService, type SamlService } from '../../identity/saml/settings/saml-service.ts';
import { createScimService, type ScimService } from '../../identity/scim/resources/scim-service.ts';
import { createSecrets } from '../../identity/secrets/secrets.ts';
import { createSessionService, type SessionService } from '../../identity/sessions/sessions.ts';
import { createSignInService, type SignInService } from '../../identity/sessions/sign-in.ts';
import { createThrottle } from '../../identity/sessions/throttle.ts';
import type { Identity } from '../../identity/sign-on/link-store.ts';
import { linkUser } from '../../identity/sign-on/link-user.ts';
import { createSignOnService, type SignOnService } from '../../identity/sign-on/sign-on.ts';
import { createSignOnTests, type SignOnTests } from '../../identity/sign-on/sign-on-tests.ts';
import { createTokenService, type TokenService } from '../../identity/tokens/tokens.ts';
import { createQueryTrail, type QueryTrail } from '../../query-log/query-trail.ts';
import type { Database } from '../../store/database.ts';
import { createUuidV7, type NewId } from '../../store/values/uuid.ts';
import type { Home } from '../home/home.ts';
import { getHomeConfig } from '../home/home-config.ts';

/** Users, groups, tokens and grants, as principals may see and change them; what was done; how people sign in; provisioning. */
export interface AccountServices {
  readonly users: UserAccounts;
  readonly groups: GroupService;
  readonly tokens: TokenService;
  readonly grants: GrantService;
  readonly audit: AuditTrail;
  readonly sessions: SessionService;
  readonly signIn: SignInService;
  readonly scim: ScimService;
  readonly saml: SamlService;
  readonly signOn: SignOnService;
  readonly signOnTests: SignOnTests;
  /** Sign-ins that wait for an answer of an identity provider. */
  readonly signInRequests: SignInRequests;
  readonly linkUser: (principal: Principal, userName: string, identity: Identity) => void;
}

export interface Services {
  readonly catalog: CatalogService;
  readonly connections: ConnectionService;
  /** The accounts, for whom nothing is to be checked. */
  readonly users: UserService;
  readonly audit: AuditLog;
  readonly accounts: AccountServices;
  readonly queries: QueryTrail;
  /** What is withdrawn from users, told once it is committed. */
  readonly announcements: Announcements;
  /** As that of the database. */
  readonly readChangeMark: Database['readChangeMark'];
  readonly newId: NewId;
}

/** What the environment says. */
export interface ServiceSettings {
  readonly masterKey?: string | undefined;
  /** The instance's address as its clients know it; left out: that of the home's configuration. */
  readonly baseUrl?: string | null | undefined;
}

/** The services over the open database of a home, wired to one another. */
export function createServices(database: Database, home: Home, settings: ServiceSettings = {}): Services {
  const { readChangeMark } = database;
  const { masterKey } = settings;
  const clock = () => new Date();
  const newId = createUuidV7(clock);
  const audit = createAuditLog(database, clock, newId);
  const grants = createGrantPermissions({ database, clock, newId, audit });
  const catalog = createCatalogService({
    database,
    permissions: grants.catalog,
    mayChange: (principal, change) => connections.mayChangeModels(principal, change),
    clock,
    newId,
  });
  const onCreated = (user: { readonly id: string }) => catalog.createHome(user.id);
  let role: DefaultRole | undefined;
  const defaultRole = () => (role ??= getHomeConfig(home.folder).users.defaultRole ?? DEFAULT_ROLES[0]);
  const users = createUserService({ database, clock, newId, onCreated, defaultRole });
  const announcements = createAnnouncements(database);
  const permissions = createAccountPermissions();
  const context = { database, clock, newId, users, audit, announcements, permissions };
  const secrets = createSecrets({ folder: home.folder, variable: masterKey });
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
  const saml = createSamlService({
    ...context,
    secrets,
    findBaseUrl: createBaseUrl(home, settings),
    bindsSuperUsers: () => getHomeConfig(home.folder).saml.bindSuperUsers ?? true,
  });
  const sessions = createSessionService(context);
  const throttle = createThrottle(database, clock);
  const signing = { ...context, sessions, throttle, passwords: createPasswords() };
  const changing = { ...signing, onDelete: ({ id }: { readonly id: string }) => catalog.deleteHome(id) };
  const queries = createQueryTrail(home.queries, context);
  const accounts: AccountServices = {
    users: createUserAccounts(changing),
    groups: createGroupService(context),
    tokens: createTokenService(context),
    grants: createGrantService({ ...context, grants, targets }),
    audit: createAuditTrail(context),
    sessions,
    signIn: createSignInService({ ...signing, isSsoOnly: () => saml.findSettings()?.ssoOnly === true }),
    scim: createScimService(changing),
    saml,
    signOn: createSignOnService({ ...context, sessions }),
    signOnTests: createSignOnTests(context),
    signInRequests: createSignInRequests(database, clock),
    linkUser: (principal, userName, identity) => linkUser(context, principal, userName, identity),
  };
  return { catalog, connections, users, audit, accounts, queries, announcements, readChangeMark, newId };
}

/** The instance's address as it is given, else as the home's configuration has it, which is read when first needed. */
function createBaseUrl({ folder }: Home, { baseUrl: given }: ServiceSettings): () => string | null {
  let known = given;
  return () => {
    if (known === undefined) known = getHomeConfig(folder).server.baseUrl ?? null;
    return known !== null && URL.canParse(known) ? new URL(known).origin : known;
  };
}
