import type { ServedContents } from '../../catalog/service.ts';
import type { Visitor } from '../../identity/audit/audit.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { SamlError } from '../../identity/saml/protocol/checks.ts';
import type { BrowserMessage } from '../../identity/saml/protocol/create-request.ts';
import type { RefreshOutcome } from '../../identity/saml/settings/refresh-metadata.ts';
import { SignOnError } from '../../identity/sign-on/proven-identity.ts';
import { notNull, present } from '../../invariants/must.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { lockHome } from '../../store/files/home-lock.ts';
import type { AccountsApi } from '../api/accounts-api.ts';
import type { ScimApi } from '../api/scim-api.ts';
import type { ConnectionsApi, HistoryApi, QueriesApi, ServedCatalogApi } from '../api/workspace-api.ts';
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
import { createSignInFiles } from './sign-in-files.ts';

export type {
  BrowserMessage,
  BrowserState,
  ExecutionOptions,
  Executions,
  Principal,
  SessionUserBody,
  SsoBody,
};

/** Whether a sign-in or sign-out failed because of the identity provider's message or of the account. */
export function isSignOnError(
  error: unknown,
): error is { readonly check: string; readonly detail: string; readonly userText: string | null } {
  return error instanceof SamlError || error instanceof SignOnError;
}

/** Operations of a principal on an instance. */
export interface InstanceApi {
  /** Long contents are passed as bytes. */
  readonly catalog: ServedCatalogApi;
  readonly history: HistoryApi;
  readonly connections: ConnectionsApi;
  readonly accounts: AccountsApi;
  readonly queries: QueriesApi;
  readonly semantic: SemanticAnswers;
  /**
   * Users and groups for a provisioning service; `base` is the absolute URL of its root, without a slash at its end.
   */
  scim(base: string): ScimApi;
}

/** A home that many users share, each under a separate principal. */
export interface Instance {
  /** The principal of a personal access token (docs/reference/tokens.md); null for an invalid token. */
  authenticate(token: string, visitor: Visitor): Principal | null;
  /** Operations that are authorized as this principal. */
  as(principal: Principal): InstanceApi;
  /** Sessions of users at the console. */
  readonly sessions: SessionsApi;
  /** Sign-in and sign-out by SAML. */
  readonly samlSignOn: SamlSignOn;
  /** Reads the metadata of the identity provider again, if this is configured and a day has passed; else null. */
  refreshMetadata(): Promise<RefreshOutcome | null>;
  /** Runs scripts and SQL; null where execution is disabled. */
  readonly executions: Executions | null;
  /** Throws a HomeError or ServiceError while the home cannot be read. */
  checkReady(): void;
  /** Warnings about the disk for administrators; any user may read them. */
  listDiskWarnings(): readonly string[];
  /** Stops running work and releases all resources. */
  close(): Promise<void>;
}

/** Options of an instance. */
export interface InstanceOptions {
  /** The home's folder. */
  readonly home: string;
  /** Default: all settings are read from `config.toml`. */
  readonly findSettings?: FindSettings | undefined;
  /** How scripts and SQL of callers run; without it, execution is disabled. */
  readonly execution?: ExecutionOptions | undefined;
  /** How semantic models are served; left out: their errors are reported only to callers. */
  readonly semantic?: SemanticOptions | undefined;
  /** Receives warnings for administrators, for example about a weak password; default: warnings are dropped. */
  readonly warn?: ((line: string) => void) | undefined;
}

/** Opens a home for a server. Throws a HomeError for a home that is missing, unusable or already served. */
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
  const history = { ...services.history, ...services.history.served };
  const bound = { services, catalog, history, models, warn };
  const prepareTranslation: Parameters<typeof createExecutions>[1]['prepareTranslation'] = (
    principal,
    name,
  ) => models.as(principal).prepareTranslation(name);
  const executions =
    execution === undefined ? null : createExecutions(home, { services, prepareTranslation }, execution);
  const protocol = createSamlProtocol();
  const { saml, signOn, signOnTests: tests, signInRequests: requests } = services.accounts;
  const signInFiles = createSignInFiles(home, services.accounts.ownerSignIn);
  const socket =
    executions && openCommandSocket(home, services, { executions, signInFiles }, present(execution).log);
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
      signInFiles.close();
      await Promise.all([socket?.close(() => notNull(executions).close()), models.close(), protocol.close()]);
      database.close();
      unlock();
    },
  };
}

/** The catalog and the history of assets as a server calls them. */
type ServedCatalog = Omit<Services['catalog'], keyof ServedContents> & ServedContents;
type ServedHistory = Omit<Services['history'], 'restore'> & Services['history']['served'];

/** Services that are bound to a principal. */
interface Bound {
  readonly services: Services;
  readonly catalog: ServedCatalog;
  readonly history: ServedHistory;
  readonly models: ServedSemantic;
  readonly warn: (line: string) => void;
}

/**
 * Binds services when they are used, since a request needs only one. A class, because own getters of an object are
 * slower.
 */
class BoundApi implements InstanceApi {
  readonly #services: Services;
  readonly #catalog: ServedCatalog;
  readonly #history: ServedHistory;
  readonly #models: ServedSemantic;
  readonly #warn: (line: string) => void;
  readonly #principal: Principal;

  constructor({ services, catalog, history, models, warn }: Bound, principal: Principal) {
    this.#services = services;
    this.#catalog = catalog;
    this.#history = history;
    this.#models = models;
    this.#warn = warn;
    this.#principal = principal;
  }

  get catalog() {
    return bind(this.#catalog, this.#principal);
  }

  get history() {
    return bind(this.#history, this.#principal);
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
