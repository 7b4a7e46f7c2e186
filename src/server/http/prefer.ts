import type { FastifyRequest } from 'fastify';

/** The known preferences of a client (RFC 7240). */
export interface Preferences {
  /** Asynchronous execution. */
  readonly respondAsync: boolean;
  /** Seconds to wait for the result first. */
  readonly wait: number;
  /** Whether unknown fields are an error. */
  readonly isStrict: boolean;
}

/** A preference without its parameters; commas and semicolons in quotes do not separate. */
const PREFERENCE = /(?:[^",;]|"(?:[^"\\]|\\.)*"?)+/y;
const PARAMETERS = /(?:[^",]|"(?:[^"\\]|\\.)*"?)*,?/y;

/** Parses `Prefer`. The first of duplicate preferences wins; unknown ones are ignored (RFC 7240, 2). */
export function readPreferences({ headers }: FastifyRequest): Preferences {
  const values = new Map<string, string>();
  for (const preference of listPreferences([headers.prefer ?? []].flat().join(','))) {
    const [name = '', value = ''] = preference.split('=', 2).map((part) => part.trim());
    const key = name.toLowerCase();
    if (!values.has(key)) values.set(key, value.replace(/^"(.*)"$/, '$1'));
  }
  const wait = values.get('wait') ?? '';
  return {
    respondAsync: values.has('respond-async'),
    wait: /^\d{1,9}$/.test(wait) ? Number(wait) : 0,
    isStrict: values.get('handling')?.toLowerCase() === 'strict',
  };
}

function listPreferences(text: string): readonly string[] {
  const preferences: string[] = [];
  for (let at = 0; at < text.length; ) {
    PREFERENCE.lastIndex = at;
    const [preference = ''] = PREFERENCE.exec(text) ?? [];
    preferences.push(preference);
    PARAMETERS.lastIndex = at + preference.length;
    const [parameters = ''] = PARAMETERS.exec(text) ?? [];
    at += Math.max(1, preference.length + parameters.length);
  }
  return preferences;
}
