import type { Connection } from '../../engine/connection/contract/connection.ts';
import { MissingSchemaError } from '../../engine/connection/contract/missing-schema.ts';
import type { Sink } from '../../engine/result/columns/sink.ts';
import type { AskOwner } from '../../engine/run/publish/ask-owner.ts';
import type { ScriptJob, UnopenedJob } from '../../engine/run/run-script.ts';
import type { BlockDefinition, Program } from '../../engine/script/program/program.ts';
import { NO_ENVIRONMENT, type RunEnvironment } from '../../engine/script/values/environment.ts';
import type { RunContext } from '../../engine/script/values/scope.ts';
import type { LexicalRules } from '../../engine/text/lexical-rules.ts';
import type { ExecutionRequest } from '../contract/request.ts';

/** The tools for the work of one execution. */
export type Session = Pick<
  ScriptJob,
  'answer' | 'recorder' | 'clock' | 'signal' | 'warn' | 'log' | 'count' | 'connectMore'
> & {
  readonly connect: (createsSchema?: boolean) => Promise<Connection>;
  readonly askOwner: AskOwner;
  readonly sink: Pick<Sink, 'write'>;
};

/** The session of a run of blocks or tests, and what their programs need. */
export interface RunTools extends Session {
  readonly publishing: UnopenedJob['publishing'];
  readonly request: ExecutionRequest;
  readonly lexicalRules: LexicalRules;
  readonly createContext: (program: Program, environment: RunEnvironment) => RunContext;
}

/** Opens the session of a run, in a new schema if its own one does not exist and the run publishes into it. */
export async function openForPublishing(
  { connect, log, signal }: Session,
  { locks, database }: Pick<UnopenedJob['publishing'], 'locks' | 'database'>,
  publishesAny: () => Promise<boolean>,
): Promise<Connection> {
  try {
    return await connect();
  } catch (error) {
    if (!(error instanceof MissingSchemaError) || !(await publishesAny())) throw error;
    const lock = JSON.stringify([database, error.schema]);
    const connection = await locks.hold(lock, signal, () => connect(true));
    log.schemas.push(error.schema);
    return connection;
  }
}

/** Writes a line of JSON to the answer. */
export async function writeLine({ sink }: Pick<Session, 'sink'>, value: object): Promise<void> {
  await sink.write(Buffer.from(`${JSON.stringify(value)}\n`));
}

/** The environment of a run with its session; targets outside `selected` are read from the one that it defers to. */
export async function openEnvironment(
  { environment }: ExecutionRequest,
  connection: Connection,
  selected: readonly BlockDefinition[],
  signal: AbortSignal,
): Promise<RunEnvironment> {
  if (environment === undefined) return NO_ENVIRONMENT;
  const { names, deferred } = environment;
  const { schema } = await connection.publishing.resolve(null, 'quern', signal);
  const chosen = new Set(selected.map(({ declaration }) => declaration));
  return {
    names,
    currentSchema: schema,
    deferred: deferred === undefined ? null : { ...deferred, selected: chosen },
  };
}
