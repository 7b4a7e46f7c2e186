import type { ConnectionFile, KindDefinition } from '../engine/connection/contract/kind.ts';
import { KINDS } from '../engine/connection/kinds.ts';
import { present } from '../invariants/must.ts';
import type { ConnectionBody, ConnectionKindBody } from './connection-body.ts';

/** A stored connection, without its secrets. */
export interface ConnectionRecord {
  readonly id: string;
  readonly name: string;
  /** The kind; a later version may have stored an unknown one. */
  readonly kind: string;
  readonly description: string;
  readonly options: Readonly<Record<string, string>>;
  /** Options that a run may override; null: the default of the kind. */
  readonly overrides: readonly string[] | null;
  /** Default timeout of runs; null: no timeout. */
  readonly timeoutMs: number | null;
  /** Maximum sessions of one run; null: the default of the kind. */
  readonly maxSessions: number | null;
  readonly revision: number;
  readonly creatorId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The definition of a kind; undefined for a kind that this version does not support. */
export function findKind(kind: string): KindDefinition | undefined {
  return Object.values(KINDS).find((definition) => definition.kind === kind);
}

type Named = Pick<ConnectionRecord, 'kind' | 'options'>;

/** The options that an earlier version has stored and this one would refuse, each with the reason. */
export function listRefused({ kind, options }: Named): readonly string[] {
  const known = findKind(kind)?.options ?? [];
  return known.flatMap(({ name, check }) => {
    const value = options[name];
    const reason = value === undefined ? null : check(value);
    return reason === null ? [] : [`option ${name} ${reason}`];
  });
}

/** Whether an option of a connection is the path of a file. */
export function namesFile(connection: Named): boolean {
  return Object.keys(connection.options).some((name) => isFile(connection, name));
}

/** The files that the driver of a connection opens; none of a semantic one. */
export function listFiles(connection: Named): readonly ConnectionFile[] {
  const { kind, options } = connection;
  if (kind === 'semantic') return [];
  const isDatabase = kind === 'duckdb';
  return Object.entries(options)
    .filter(([name]) => isFile(connection, name))
    .map(([, file]) => ({ file, isDatabase }));
}

/** A connection without the options that are paths of files. */
export function withoutFiles(record: ConnectionRecord): ConnectionRecord {
  const shown = Object.entries(record.options).filter(([name]) => !isFile(record, name));
  return { ...record, options: Object.fromEntries(shown) };
}

/** For an unknown kind, every option may be a path. */
function isFile({ kind, options }: Named, name: string): boolean {
  const definition = findKind(kind);
  if (definition === undefined) return true;
  return definition.options.find((option) => option.name === name)?.isPath(present(options[name])) === true;
}

/** The options that runs may override on a connection. */
export function listOverrides({ kind, overrides }: ConnectionRecord): readonly string[] {
  return overrides ?? findKind(kind)?.overrides ?? [];
}

/** Maximum sessions of one run on a connection; null: no limit. */
export function findMaxSessions({ kind, maxSessions }: ConnectionRecord): number | null {
  return maxSessions ?? findKind(kind)?.maxSessions ?? null;
}

export function toConnectionBody(record: ConnectionRecord, secrets: readonly string[]): ConnectionBody {
  return {
    name: record.name,
    kind: record.kind,
    description: record.description,
    options: record.options,
    secrets,
    allowed_overrides: listOverrides(record),
    timeout_ms: record.timeoutMs,
    max_sessions: findMaxSessions(record),
    revision: record.revision,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

/** Every kind, by name. */
export function listKinds(): readonly ConnectionKindBody[] {
  return Object.values(KINDS).map(toKindBody);
}

function toKindBody({ kind, title, options, overrides, maxSessions }: KindDefinition): ConnectionKindBody {
  return {
    kind,
    title,
    options: options.map(({ name, description, isRequired, isSecret, isMultiline, shownDefault }) => {
      const marks = { required: isRequired, secret: isSecret, multiline: isMultiline };
      return { name, description, ...marks, default: shownDefault };
    }),
    overrides,
    max_sessions: maxSessions,
  };
}
