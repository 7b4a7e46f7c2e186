import type { FastifyRequest } from 'fastify';

/** What a client would like (RFC 7240), as far as we know it. */
export interface Preferences {
  /** Rather be told where the answer will be than wait for it. */
  readonly respondAsync: boolean;
  /** For how many seconds it waits nevertheless. */
  readonly wait: number;
}

/** A preference without its parameters; commas and semicolons in quotes do not count. */
const PREFERENCE = /(?:[^",;]|"(?:[^"\\]|\\.)*"?)+/y;
const PARAMETERS = /(?:[^",]|"(?:[^"\\]|\\.)*"?)*,?/y;

/** Reads `Prefer`; of a repeated preference the first counts, and what we do not know does not matter: it is a wish. */
export function readPreferences({ headers }: FastifyRequest): Preferences {
  const values = new Map<string, string>();
  for (const preference of listPreferences([headers.prefer ?? []].flat().join(','))) {
    const [name = '', value = ''] = preference.split('=', 2).map((part) => part.trim());
    const key = name.toLowerCase();
    if (!values.has(key)) values.set(key, value.replace(/^"(.*)"$/, '$1'));
  }
  const wait = values.get('wait') ?? '';
  return { respondAsync: values.has('respond-async'), wait: /^\d{1,9}$/.test(wait) ? Number(wait) : 0 };
}

function listPreferences(text: string): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; ) {
    PREFERENCE.lastIndex = at;
    const [preference = ''] = PREFERENCE.exec(text) ?? [];
    found.push(preference);
    PARAMETERS.lastIndex = at + preference.length;
    const [rest = ''] = PARAMETERS.exec(text) ?? [];
    at += Math.max(1, preference.length + rest.length);
  }
  return found;
}
