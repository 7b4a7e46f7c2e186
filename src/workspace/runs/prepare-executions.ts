import type { Sandbox } from '../../engine/connection/contract/connection.ts';
import type { Translate } from '../../engine/connection/contract/translate.ts';
import { createNanoClock } from '../../engine/run/outcome/clock.ts';
import { startStopwatch } from '../../engine/run/outcome/stopwatch.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { failed } from '../../execution/contract/execution-error.ts';
import type { ExecutionLimits, ExecutionRequest } from '../../execution/contract/request.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { runErrors } from '../api/errors.ts';
import type { ServedTarget } from '../api/target.ts';
import type { ServedRequest } from '../api/workspace-api.ts';
import type { Services } from '../services/services.ts';
import { collectWork, type Failed } from './collect-work.ts';
import type { FileAccess } from './engine-files.ts';
import type { LoggedRequest, Recorder } from './record-queries.ts';
import { type ExecutionFolders, printTarget, toExecutionRequest } from './to-execution-request.ts';

/** A request that is ready for the queue. */
export interface Admitted {
  readonly execution: ExecutionRequest;
  readonly translate: Translate | undefined;
}

/** A request of a principal; `showsFiles`: its errors may show paths on the server's disk. */
export interface Prepared extends Admitted {
  readonly status: 'prepared';
  readonly showsFiles: boolean;
}

/**
 * Returns the translation of statements for a semantic connection that a principal may use. Rejects with a
 * ServiceError.
 */
type PrepareTranslation = (principal: Principal, connection: string) => Promise<Translate>;

/** Services that resolve scripts, connections and models of executions. */
export interface Wired {
  readonly services: Services;
  readonly prepareTranslation: PrepareTranslation;
}

export interface WiredFiles extends Wired, Pick<FileAccess, 'openFiles'> {}

interface Preparing extends WiredFiles {
  readonly recorder: Recorder;
  readonly sandbox: Sandbox;
  readonly folders: ExecutionFolders;
  /** The time limit on connections without one. */
  readonly timeLimit: Pick<ExecutionLimits, 'timeoutMs' | 'timeoutSource'>;
  readonly sqlMegabytes: number;
  /** Maximum bytes of a recorded result. */
  readonly resultBytes: number;
}

/** Throws 400 for SQL of a client that is too large: its parser needs much more time and memory than its size. */
function checkSize(target: ServedTarget, megabytes: number): void {
  if (target.kind !== 'sql' || target.isGenerated === true) return;
  if (Buffer.byteLength(target.source.text) > megabytes * 1024 ** 2) throw runErrors.sqlTooLarge(megabytes);
}

/** Reads everything that a request needs, under the rights of its principal. Rejects with a ServiceError. */
export function createPrepare({
  services,
  prepareTranslation,
  openFiles,
  recorder,
  sandbox,
  folders,
  sqlMegabytes,
  ...limits
}: Preparing) {
  return async (principal: Principal, request: ServedRequest): Promise<Prepared | Failed> => {
    const { target, format, numbers, recordsAll } = request;
    const logged = { id: services.newId(), ...toCaller(principal), name: printTarget(target) };
    checkSize(target, sqlMegabytes);
    checkVersion(services, principal, target);
    const collected = await collectWork(request, {
      withCatalog: (work, overlay) => services.catalog.withScripts(principal, work, overlay),
      resolve: (name, overrides) =>
        services.connections.resolve(principal, { name, overrides, spillFolder: folders.spoolDirectory }),
      prepareTranslation: (name) => prepareTranslation(principal, name),
      fallback: () => {
        throw runErrors.connectionRequired();
      },
    });
    if (collected.status === 'failed') {
      recorder.recordUnread(logged, request.connection, collected);
      return collected;
    }
    const { request: inputs, translate } = collected;
    await openFiles(inputs.connection);
    const recording = recordsAll === true ? { maxBytes: limits.resultBytes } : undefined;
    const execution = toExecutionRequest(
      { ...logged, format, encoder: { numbers }, recording },
      {
        ...inputs,
        connection: { ...inputs.connection, sandbox },
        limits: { ...inputs.limits, ...(inputs.limits.timeoutMs === null ? limits.timeLimit : {}) },
      },
      { ...folders, maxRows: null },
    );
    return { status: 'prepared', execution, translate, showsFiles: principal.superUser };
  };
}

/** The user and the credentials of an execution, as it is listed and logged. */
export function toCaller({ userId, origin }: Principal): Omit<LoggedRequest, 'id' | 'name'> {
  return {
    owner: userId,
    token: origin?.tokenId ?? undefined,
    session: origin?.sessionId,
    origin: origin && { address: origin.address, requestId: origin.requestId },
  };
}

/** Prepares the translation for a request of another process, with the permissions of a principal. */
export async function prepareSent(
  { prepareTranslation, openFiles }: Omit<WiredFiles, 'services'>,
  principal: Principal,
  { semantic, connection }: ExecutionRequest,
): Promise<{ readonly status: 'sent'; readonly translate: Translate | undefined } | Failed> {
  const watch = startStopwatch(createNanoClock());
  try {
    await openFiles(connection);
    if (semantic === undefined) return { status: 'sent', translate: undefined };
    return { status: 'sent', translate: await prepareTranslation(principal, semantic) };
  } catch (error) {
    // The command has already checked this; an error here means that something changed since.
    if (!(error instanceof ServiceError)) throw error;
    return failed(watch, { code: 'script', message: error.detail, diagnostics: [], stuck: false });
  }
}

/** Checks that the requested version of a hub project is the current one. Throws 404. */
function checkVersion({ catalog }: Services, principal: Principal, target: ServedTarget): void {
  if (target.kind === 'sql' || target.kind === 'bundle' || target.projectVersion === undefined) return;
  catalog.get(principal, target.kind === 'script' ? target.path : target.package, target.projectVersion);
}
