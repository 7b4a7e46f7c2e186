import { createSign } from 'node:crypto';
import type { ClusterOptions } from './cluster.ts';

/** A token (JWT) of the user of a cluster that expires at a time, in seconds since 1970. */
export function createToken({ user, tokenKey }: ClusterOptions, expires: number): string {
  const parts = [
    { alg: 'RS256', typ: 'JWT' },
    { sub: user, exp: expires },
  ];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${createSign('sha256').update(text).sign(tokenKey).toString('base64url')}`;
}
