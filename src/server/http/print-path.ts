import type { FastifyRequest } from 'fastify';
import { elementAt } from '../../invariants/must.ts';
import { toOriginForm } from './to-origin-form.ts';

/** The path of a request as its client wrote it, without the query, which may hold secrets. */
export function printPath({ originalUrl }: FastifyRequest): string {
  return elementAt(toOriginForm(originalUrl).split('?', 1), 0);
}
