import { DatabaseError } from '../contract/connection.ts';
import { getOption, type Options } from '../contract/kind.ts';
import type { SessionSettings, TrinoState } from './client-session.ts';

/** The catalog of roles of the whole server. */
const SYSTEM = 'system';
/** Words that SET ROLE reads as keywords. */
const ROLE_WORDS: ReadonlySet<string> = new Set(['ALL', 'NONE']);

/** The settings with which the sessions of a connection with resolved options start. Throws a DatabaseError. */
export function readStart(options: Options, overrides: Options): SessionSettings {
  const { role, session, client_tags: tags } = options;
  const catalog = overrides.database ?? options.catalog ?? null;
  const schema = overrides.schema ?? options.schema ?? null;
  if (schema !== null && catalog === null) {
    throw new DatabaseError('sql', `The schema "${schema}" has no catalog: set the option catalog.`);
  }
  return {
    user: getOption(options, 'user'),
    catalog,
    schema,
    scratch: readScratch(options.scratch_schema, catalog),
    timeZone: getOption(options, 'time_zone'),
    properties: splitPairs(session).map(([name, value]) => `${name}=${encodeURIComponent(value)}`),
    roles: splitRoles(role),
    credentials: splitPairs(options.extra_credentials).map(
      ([name, value]) => `${name}=${encodeURIComponent(value)}`,
    ),
    tags: splitList(tags, ','),
  };
}

function readScratch(text: string | undefined, current: string | null): TrinoState['scratch'] {
  if (text === undefined) return null;
  const at = text.indexOf('.');
  const catalog = at === -1 ? current : text.slice(0, at);
  if (catalog !== null) return { catalog, schema: text.slice(at + 1) };
  throw new DatabaseError(
    'sql',
    `The schema "${text}" has no catalog: set scratch_schema to catalog.schema.`,
  );
}

/** A role of one catalog, `hive=admin`, or of the whole server, `admin`. */
function splitRoles(text: string | undefined): readonly string[] {
  return splitList(text, ';').map((part) => {
    const at = part.indexOf('=');
    const [catalog, name] =
      at === -1 ? [SYSTEM, part] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    const role = ROLE_WORDS.has(name) ? name : `ROLE{${name}}`;
    return `${catalog}=${encodeURIComponent(role)}`;
  });
}

function splitPairs(text: string | undefined): readonly (readonly [name: string, value: string])[] {
  return splitList(text, ';').map((pair) => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
  });
}

function splitList(text: string | undefined, separator: string): readonly string[] {
  const parts = (text ?? '').split(separator).map((part) => part.trim());
  return parts.filter((part) => part !== '');
}
