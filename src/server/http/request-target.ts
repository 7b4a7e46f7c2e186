import type { FastifyRequest } from 'fastify';
import { elementAt, notNull, present } from '../../invariants/must.ts';

/**
 * The path and query of a request's target. Clients of a proxy send the absolute form (RFC 9112, 3.2.2); its host is
 * ignored.
 */
export function toOriginForm(target: string): string {
  const originForm = /^https?:\/\/[^/?#]*(.*)$/is.exec(target)?.[1];
  if (originForm === undefined) return target;
  return originForm.startsWith('/') ? originForm : `/${originForm}`;
}

/** The path of a request as the client sent it, without the query, which can contain secrets. */
export function printRequestPath({ originalUrl }: FastifyRequest): string {
  return elementAt(toOriginForm(originalUrl).split('?', 1), 0);
}

/** A request's target: its path, and the query or fragment that follows it. */
const TARGET = /^(?<path>[^?#]*)(?<suffix>.*)$/s;

/**
 * Normalizes a target for routing: repeated slashes in its path become one, and a trailing slash is removed. Encoded
 * slashes (`%2F`) and the query stay unchanged.
 */
export function dropExtraSlashes(target: string): string {
  const { path = '', suffix = '' } = present(notNull(TARGET.exec(target)).groups);
  return path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '') + suffix;
}
