import type { FastifyReply, FastifyRequest } from 'fastify';
import { createJsonCollector } from '../../workspace/api/json-result.ts';
import type { Executions } from '../../workspace/runs/executions.ts';
import { toServiceError } from './to-service-error.ts';

/** A statement about the database behind a connection. */
interface Question {
  readonly connection: string;
  /** The name in errors. */
  readonly name: string;
  readonly text: string;
  /** The values of its parameters. */
  readonly params?: Readonly<Record<string, string>>;
}

/**
 * Reads the rows of a statement that Quern has written, with the rights of the caller on the connection; ends with the
 * request. Throws as a run of SQL does.
 */
export async function askDatabase<Row>(
  executions: Executions,
  { principal }: FastifyRequest,
  reply: FastifyReply,
  { connection, name, text, params = {} }: Question,
): Promise<readonly Row[]> {
  const gone = new AbortController();
  reply.raw.once('close', () => reply.raw.writableFinished || gone.abort());
  const target = { kind: 'sql', source: { name, text }, isGenerated: true } as const;
  const collector = createJsonCollector();
  const outcome = await executions.run(
    principal,
    { target, connection, overrides: {}, params, format: 'json' },
    () => collector,
    gone.signal,
  );
  if (outcome.status === 'failed') throw toServiceError(outcome.error);
  return collector.read<Row>().data;
}
