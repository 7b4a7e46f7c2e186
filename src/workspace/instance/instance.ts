// A home that a server has open: its database, its services, its executions and its models, opened once and closed once.
// It belongs to no user: each call of a service has the acting principal as its first argument. A command opens the same
// services for one user instead, in open-workspace.ts.

import type { BinService } from '../../catalog/bin/service.ts';
import type { ManyItemsService } from '../../catalog/many/service.ts';
import type { ServedContents } from '../../catalog/service.ts';
import type { ConnectionService } from '../../connections/service.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { SamlError } from '../../identity/saml/protocol/checks.ts';
import type { RefreshOutcome } from '../../identity/saml/settings/refresh-metadata.ts';
import type { ScimApi } from '../../identity/scim/protocol/scim-api.ts';
import { SignOnError } from '../../identity/sign-on/proven-identity.ts';
import { openProviderLog, type ProviderLog } from '../../provider-log/provider-log.ts';
import type { ProviderTrail } from '../../provider-log/provider-trail.ts';
import type { QueryTrail } from '../../query-log/query-trail.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { lockHome } from '../../store/files/home-lock.ts';
import type { ConnectionTarget, SemanticService } from '../api/semantic-api.ts';
import { removeLeftBackups } from '../backup/backup-files.ts';
import type { BackupWriter } from '../backup/backup-service.ts';
import { clearFolders, type Home, homeAt } from '../home/home.ts';
import { createModelFinder } from '../models/find-connection-model.ts';
import { createSemantic } from '../models/semantic.ts';
import { createServedModels, type ServedModelOptions } from '../models/served-models.ts';
import { createExecutions, type ExecutionOptions, type Executions } from '../runs/executions.ts';
import { toActing } from '../services/acting-user.ts';
import {
  type AccountServices,
  createServices,
  type FindSettings,
  type Services,
} from '../services/services.ts';
import { createSamlProtocol } from '../sign-on/saml-protocol.ts';
import { createSamlSignOn, type SamlSignOn } from '../sign-on/saml-sign-on.ts';
import { createHomeCare, type HomeCare } from './home-care.ts';
import { createSignInFiles, type SignInFiles } from './sign-in-files.ts';

/** Whether a sign-in or sign-out failed because of the identity provider's message or of the account. */
export function isSignOnError(error: unknown): error is SamlError | SignOnError {
  return error instanceof SamlError || error instanceof SignOnError;
}

/** A home that many users share, each under a separate principal. */
export interface Instance extends HomeCare {
  /** The principal of an active user, by default of the home's owner. Throws a ServiceError 401. */
  findPrincipal(userId: string | undefined): Principal;
  /** Long contents are passed as bytes. */
  readonly catalog: ServedCatalog;
  readonly history: ServedHistory;
  readonly bin: BinService;
  readonly manyItems: ManyItemsService;
  readonly connections: ConnectionService;
  readonly accounts: AccountServices;
  readonly queries: QueryTrail;
  readonly providers: ProviderTrail;
  /** Records what identity providers send. */
  readonly providerLog: ProviderLog;
  readonly semantic: SemanticService<ConnectionTarget>;
  /**
   * Users and groups for a provisioning service; `base` is the absolute URL of its root, without a slash at its end.
   */
  scim(principal: Principal, base: string): ScimApi;
  /** Files that sign the home's owner in. */
  readonly signInFiles: SignInFiles;
  /** Sign-in and sign-out by SAML. */
  readonly samlSignOn: SamlSignOn;
  /** Reads the metadata of the identity provider again, if this is configured and a day has passed; else null. */
  refreshMetadata(): Promise<RefreshOutcome | null>;
  /** Runs scripts and SQL; null where execution is disabled. */
  readonly executions: Executions | null;
  /** Throws a HomeError or ServiceError while the home cannot be read. */
  checkReady(): void;
  /** Stops running work, calls `onStopped`, and then releases all resources, at last the lock of the home. */
  close(onStopped?: () => Promise<void>): Promise<void>;
}

/** Options of semantic models. */
interface SemanticOptions extends ServedModelOptions {
  /** The default connection; undefined: the only one that the principal may use. */
  readonly defaultConnection?: string | undefined;
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
  /** The free bytes of the disk with a folder; default: what the system says. */
  readonly readFree?: BackupWriter['readFree'];
  /** Receives warnings for administrators, for example about a weak password; default: warnings are dropped. */
  readonly warn?: ((line: string) => void) | undefined;
}

/** Opens a home for a server. Throws a HomeError for a home that is missing, unusable or already served. */
export function openInstance(options: InstanceOptions): Instance {
  const { home: folder, findSettings, execution, warn = () => undefined } = options;
  const home = homeAt(folder);
  const unlock = lockHome(folder);
  const database = open(home, unlock);
  const services = createServices(database, home, findSettings);
  services.catalog.served.removeLeftParts();
  services.published.settle();
  removeLeftBackups(home);
  const models = createServedModels(options.semantic ?? { warn });
  if (services.connections.hasSemantic()) models.warm().catch(() => undefined);
  const findSource = createModelFinder(services, () => options.semantic?.defaultConnection);
  const semantic = createSemantic(findSource, models);
  const executions =
    execution === undefined
      ? null
      : createExecutions(
          home,
          {
            services,
            prepareTranslation: (principal, name) =>
              semantic.prepareTranslation(principal, { kind: 'connection', name }),
          },
          execution,
        );
  const protocol = createSamlProtocol();
  const { saml, signOn, signOnTests: tests, signInRequests: requests } = services.accounts;
  const providerLog = openProviderLog({ file: home.providers, clock: () => new Date(), warn });
  const { readFree } = options;
  const care = createHomeCare(home, services, executions, { warn, readFree });
  const signInFiles = createSignInFiles(home, services.accounts.ownerSignIn);
  return {
    findPrincipal: (id) => {
      const { users } = services;
      return toActing(id === undefined ? users.findOwner() : users.findById(id), id);
    },
    catalog: { ...services.catalog, ...services.catalog.served },
    history: { ...services.history, ...services.history.served },
    bin: services.bin,
    manyItems: services.manyItems,
    connections: services.connections,
    accounts: services.accounts,
    queries: services.queries,
    providers: services.providers,
    providerLog,
    semantic,
    scim: (principal, base) => services.accounts.scim.as({ principal, base, warn }),
    signInFiles,
    samlSignOn: createSamlSignOn({ saml, signOn, tests, requests, protocol }),
    refreshMetadata: () => saml.refreshIfDue(),
    executions,
    ...care,
    checkReady: () => database.read(() => undefined),
    async close(onStopped) {
      signInFiles.close();
      await care.backups.close();
      care.backupDownloads.close();
      await Promise.all([executions?.close(), models.close(), protocol.close()]);
      await onStopped?.();
      providerLog.close();
      database.close();
      unlock();
    },
  };
}

/** The catalog and the history of assets as a server calls them. */
type ServedCatalog = Omit<Services['catalog'], keyof ServedContents> & ServedContents;
type ServedHistory = Omit<Services['history'], 'restore'> & Services['history']['served'];

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
