import type {
  ConnectionChange,
  ConnectionSettings,
  KindDescription,
  StoredConnection,
} from '../../../api/administration/connections.ts';
import type { TypedValues } from '../../form/described-fields.tsx';

/** What a person has typed into the form of a connection. */
export interface ConnectionDraft {
  readonly name: string;
  readonly kind: string;
  readonly description: string;
  /** Options and new secrets. */
  readonly values: TypedValues;
  readonly overrides: readonly string[];
  /** In seconds; empty for none. */
  readonly timeout: string;
  /** Empty for the default of the kind. */
  readonly sessions: string;
}

/** The empty form for a kind of connection. */
export function createDraft({ kind, overrides }: KindDescription): ConnectionDraft {
  return { name: '', kind, description: '', values: {}, overrides, timeout: '', sessions: '' };
}

/** The form with the settings of a stored connection, whose secrets stay where they are. */
export function toDraft(stored: StoredConnection): ConnectionDraft {
  const { name, kind, description, options, allowed_overrides, timeout_ms, max_sessions } = stored;
  return {
    name,
    kind,
    description,
    values: options,
    overrides: allowed_overrides,
    timeout: timeout_ms === null ? '' : String(timeout_ms / 1000),
    sessions: max_sessions === null ? '' : String(max_sessions),
  };
}

/** The body of a creation or a test. */
export function toConnectionSettings(draft: ConnectionDraft, kind: KindDescription): ConnectionSettings {
  const { values, timeout, sessions, overrides } = draft;
  const isSecret = listSecrets(kind);
  const typed = Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return {
    name: draft.name.trim(),
    kind: draft.kind,
    description: draft.description.trim(),
    options: Object.fromEntries(typed.filter(([name]) => !isSecret.has(name))),
    secrets: Object.fromEntries(typed.filter(([name]) => isSecret.has(name))),
    allowed_overrides: [...overrides],
    ...(timeout === '' ? {} : { timeout_ms: toMilliseconds(timeout) }),
    ...(sessions === '' ? {} : { max_sessions: Number(sessions) }),
  };
}

/** The body of a change: what differs from the stored connection. */
export function toConnectionChange(
  draft: ConnectionDraft,
  kind: KindDescription,
  stored: StoredConnection,
): ConnectionChange {
  const before = toDraft(stored);
  const isSecret = listSecrets(kind);
  const names = [...new Set([...Object.keys(before.values), ...Object.keys(draft.values)])];
  const changed = names
    .map((name) => [name, draft.values[name] || null] as const)
    .filter(([name, value]) => value !== (before.values[name] ?? null) || isSecret.has(name));
  const { timeout, sessions } = draft;
  return {
    options: Object.fromEntries(changed.filter(([name]) => !isSecret.has(name))),
    secrets: Object.fromEntries(changed.filter(([name]) => isSecret.has(name))),
    description: draft.description.trim(),
    timeout_ms: timeout === '' ? null : toMilliseconds(timeout),
    max_sessions: sessions === '' ? null : Number(sessions),
    allowed_overrides: [...draft.overrides],
  };
}

/** What a test of a form depends on. */
export function printTested({ name, kind, values }: ConnectionDraft): string {
  return JSON.stringify([name.trim(), kind, Object.entries(values).sort()]);
}

function listSecrets({ options }: KindDescription): ReadonlySet<string> {
  return new Set(options.filter(({ secret }) => secret).map(({ name }) => name));
}

function toMilliseconds(seconds: string): number {
  return Math.round(Number(seconds) * 1000);
}

/** The values after one was typed, or, with undefined, is as it was. */
export function withValue(values: TypedValues, name: string, value: string | null | undefined): TypedValues {
  const { [name]: _, ...others } = values;
  return value === undefined ? others : { ...values, [name]: value };
}

/** Whether a message of the server is about a field: `Option port must be …`, `Option required for mysql: user`. */
export function namesField(message: string, name: string): boolean {
  const subject = /^(?:Option|Secret) (\S+)|^Option required for \S+: (\S+)|^The secret (\S+)/.exec(message);
  return subject?.slice(1).includes(name) === true;
}
