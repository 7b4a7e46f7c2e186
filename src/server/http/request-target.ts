import type { FastifyRequest } from 'fastify';
import { elementAt, notNull, present } from '../../invariants/must.ts';

/**
 * The path and query of a request's target: clients may name the whole address, as proxies have them do (RFC 9112,
 * 3.2.2). Whose address it is does not matter.
 */
export function toOriginForm(target: string): string {
  const rest = /^https?:\/\/[^/?#]*(.*)$/is.exec(target)?.[1];
  if (rest === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The path of a request as its client wrote it, without the query, which may hold secrets. */
export function printPath({ originalUrl }: FastifyRequest): string {
  return elementAt(toOriginForm(originalUrl).split('?', 1), 0);
}

/** A request's target: its path, and the query or fragment that follows it. */
const TARGET = /^(?<path>[^?#]*)(?<rest>.*)$/s;

/**
 * A target as routes know it: in its path, slashes that follow one another count as one, and one at the end does not
 * count. Encoded slashes (`%2F`) and the query stay as they are.
 */
export function dropExtraSlashes(target: string): string {
  const { path = '', rest = '' } = present(notNull(TARGET.exec(target)).groups);
  return path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '') + rest;
}
