import type { ServedContents } from '../../catalog/service.ts';
import type { Visitor } from '../../identity/audit/audit.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { SamlRefusal } from '../../identity/saml/protocol/checks.ts';
import type { BrowserMessage } from '../../identity/saml/protocol/create-request.ts';
import type { RefreshOutcome } from '../../identity/saml/settings/refresh-metadata.ts';
import { SignOnRefusal } from '../../identity/sign-on/proven-identity.ts';
import { notNull, present } from '../../invariants/must.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { lockHome } from '../../store/files/home-lock.ts';
import type { AccountsApi } from '../api/accounts-api.ts';
import type { ScimApi } from '../api/scim-api.ts';
import type { ConnectionsApi, QueriesApi, ServedCatalogApi } from '../api/workspace-api.ts';
import { clearFolders, type Home, homeAt } from '../home/home.ts';
import { listDiskWarnings } from '../limits/disk-warnings.ts';
import {
  createServedSemantic,
  type SemanticAnswers,
  type SemanticOptions,
  type ServedSemantic,
} from '../models/served-semantic.ts';
import { createExecutions, type ExecutionOptions, type Executions } from '../runs/executions.ts';
import { createServices, type FindSettings, type Services } from '../services/services.ts';
import { createSamlProtocol } from '../sign-on/saml-protocol.ts';
import { type BrowserState, createSamlSignOn, type SamlSignOn } from '../sign-on/saml-sign-on.ts';
import { bind, bindAccounts } from './bind.ts';
import { bindSessions, type SessionsApi, type SessionUserBody, type SsoBody } from './bind-sessions.ts';
import { openCommandSocket } from './command-socket.ts';

export type {
  BrowserMessage,
  BrowserState,
  ExecutionOptions,
  Executions,
  Principal,
  SessionUserBody,
  SsoBody,
};

/** Whether a sign-in or sign-out failed by what an identity provider has sent, or for the account that it is for. */
export function isSignOnRefusal(
  error: unknown,
): error is { readonly check: string; readonly detail: string; readonly userText: string | null } {
  return error instanceof SamlRefusal || error instanceof SignOnRefusal;
}

/** What a principal may do with an instance. */
export interface InstanceApi {
  /** Long contents are bytes. */
  readonly catalog: ServedCatalogApi;
  readonly connections: ConnectionsApi;
  readonly accounts: AccountsApi;
  readonly queries: QueriesApi;
  readonly semantic: SemanticAnswers;
  /** Users and groups for a provisioning service; `base` is the absolute URL of its root, without a slash at its end. */
  scim(base: string): ScimApi;
}

/** A home as many people use it at once, each under a principal of their own. */
export interface Instance {
  /** Who acts with a personal access token (interface 5.1); null for any that is good for nothing. */
  authenticate(token: string, visitor: Visitor): Principal | null;
  /** Everything is authorized as this principal. */
  as(principal: Principal): InstanceApi;
  /** Of people at the console. */
  readonly sessions: SessionsApi;
  /** Signing in and out by SAML. */
  readonly samlSignOn: SamlSignOn;
  /** Reads the metadata of the identity provider again if the settings say so and a day has gone by; else null. */
  refreshMetadata(): Promise<RefreshOutcome | null>;
  /** What runs scripts and SQL; null where nothing may. */
  readonly executions: Executions | null;
  /** Throws a HomeError or ServiceError when the home cannot be read right now. */
  checkReady(): void;
  /** What an administrator should know about the disk; anybody may read it. */
  listDiskWarnings(): readonly string[];
  /** Stops what runs, and gives everything back. */
  close(): Promise<void>;
}

/** What an instance is made of. */
export interface InstanceOptions {
  /** The home's folder. */
  readonly home: string;
  /** Left out: `config.toml` has all settings. */
  readonly findSettings?: FindSettings | undefined;
  /** How scripts and SQL of callers run; without it, nothing does. */
  readonly execution?: ExecutionOptions | undefined;
  /** How semantic models are served; left out: what is wrong with them is told to nobody but who asks. */
  readonly semantic?: SemanticOptions | undefined;
  /** Told what an administrator should know of what was done nevertheless, as a weak password; nobody is by default. */
  readonly warn?: ((line: string) => void) | undefined;
}

/** Opens a home for a server. Throws a HomeError for one that is missing, cannot be used, or is served already. */
export function openInstance(options: InstanceOptions): Instance {
  const { home: folder, findSettings, execution, semantic, warn = () => undefined } = options;
  const home = homeAt(folder);
  const unlock = lockHome(folder);
  const database = open(home, unlock);
  const services = createServices(database, home, findSettings);
  services.catalog.served.removeLeftParts();
  const models = createServedSemantic(services, semantic ?? { warn });
  if (services.connections.hasSemantic()) models.warm();
  const catalog = { ...services.catalog, ...services.catalog.served };
  const bound = { services, catalog, models, warn };
  const prepareTranslation: Parameters<typeof createExecutions>[1]['prepareTranslation'] = (
    principal,
    name,
  ) => models.as(principal).prepareTranslation(name);
  const executions =
    execution === undefined ? null : createExecutions(home, { services, prepareTranslation }, execution);
  const protocol = createSamlProtocol();
  const { saml, signOn, signOnTests: tests, signInRequests: requests } = services.accounts;
  const socket = executions && openCommandSocket(home, services, executions, present(execution).log);
  return {
    authenticate: (token, visitor) => services.accounts.tokens.verify(token, visitor)?.principal ?? null,
    as: (principal) => new BoundApi(bound, principal),
    sessions: bindSessions(services),
    samlSignOn: createSamlSignOn({ saml, signOn, tests, requests, protocol }),
    refreshMetadata: () => saml.refreshIfDue(),
    executions,
    checkReady: () => database.read(() => undefined),
    listDiskWarnings: () => listDiskWarnings(folder, executions?.readDiskUse() ?? []),
    async close() {
      await Promise.all([socket?.close(() => notNull(executions).close()), models.close(), protocol.close()]);
      database.close();
      unlock();
    },
  };
}

/** The catalog as a server calls it. */
type ServedCatalog = Omit<Services['catalog'], keyof ServedContents> & ServedContents;

/** What is bound to a principal. */
interface Bound {
  readonly services: Services;
  readonly catalog: ServedCatalog;
  readonly models: ServedSemantic;
  readonly warn: (line: string) => void;
}

/** A request needs one of the six; a class, since an object's own getters cost more than most of what they get. */
class BoundApi implements InstanceApi {
  readonly #services: Services;
  readonly #catalog: ServedCatalog;
  readonly #models: ServedSemantic;
  readonly #warn: (line: string) => void;
  readonly #principal: Principal;

  constructor({ services, catalog, models, warn }: Bound, principal: Principal) {
    this.#services = services;
    this.#catalog = catalog;
    this.#models = models;
    this.#warn = warn;
    this.#principal = principal;
  }

  get catalog() {
    return bind(this.#catalog, this.#principal);
  }

  get connections() {
    return bind(this.#services.connections, this.#principal);
  }

  get accounts() {
    return bindAccounts(this.#services.accounts, this.#principal);
  }

  get queries() {
    return bind(this.#services.queries, this.#principal);
  }

  get semantic() {
    return this.#models.as(this.#principal);
  }

  scim(base: string) {
    return this.#services.accounts.scim.as({ principal: this.#principal, base, warn: this.#warn });
  }
}

function open(home: Home, unlock: () => void): Database {
  try {
    const database = openDatabase(home.folder, { clock: () => new Date() });
    clearFolders(home);
    return database;
  } catch (error) {
    unlock();
    throw error;
  }
}
