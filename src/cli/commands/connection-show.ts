import type { ConnectionBody, ConnectionKindBody } from '../../connections/connection-body.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { elementAt } from '../../invariants/must.ts';
import { suggest } from '../../text/suggest.ts';
import type { Workspace } from '../../workspace/instance/open-workspace.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';
import { printAligned } from '../terminal/print-aligned.ts';

/** The item of a name: a connection, with its kind if known; or a kind. */
interface Described {
  readonly connection: ConnectionBody | null;
  readonly kind: ConnectionKindBody | null;
}

/** `quern connection show`: prints a connection without its secrets, or else a kind. */
export const run: RunCommand<'connection show'> = async (context, { args, options }) => {
  const [described, refused] = await withWorkspace(context, (workspace) => {
    const { connections, principal } = workspace;
    const target = find(workspace, elementAt(args, 0));
    const { connection } = target;
    return [target, connection === null ? [] : connections.listRefused(principal, connection.name)] as const;
  });
  const text = options.json ? `${JSON.stringify(described)}\n` : print(described);
  await context.stdout.write(text);
  for (const reason of refused) await context.stderr.write(`warning: ${reason}\n`);
  return EXIT.done;
};

function find(
  { connections, principal }: Pick<Workspace, 'connections' | 'principal'>,
  name: string,
): Described {
  const kinds = connections.listKinds();
  const named = kinds.find(({ kind }) => kind === name);
  try {
    const connection = connections.get(principal, name);
    return { connection, kind: kinds.find(({ kind }) => kind === connection.kind) ?? null };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 404) throw error;
    if (named !== undefined) return { connection: null, kind: named };
    const names = [...connections.listLevels(principal).keys(), ...kinds.map(({ kind }) => kind)];
    const near = suggest(name, names);
    const advice =
      near === undefined ? '`quern connection ls` lists the connections' : `did you mean ${near}?`;
    throw new UsageError(`there is no connection or kind ${name}; ${advice}`, EXIT.failed);
  }
}

function print({ connection, kind }: Described): string {
  if (connection === null) return kind === null ? '' : printKind(kind);
  return printConnection(connection, kind);
}

function printKind({ kind, title, options, overrides }: ConnectionKindBody): string {
  const rows = options.map((option) => {
    const need = [...(option.required ? ['required'] : []), ...(option.secret ? ['secret'] : [])].join(', ');
    const fallback = option.default === null ? '' : ` (default: ${option.default})`;
    return [option.name, need, `${option.description}${fallback}`];
  });
  const allowed = `runs may override ${overrides.join(', ') || 'nothing'}`;
  return `${kind}: ${title}; ${allowed}\n\n${printAligned(rows)}`;
}

function printConnection(connection: ConnectionBody, kind: ConnectionKindBody | null): string {
  const { name, description, allowed_overrides, timeout_ms, max_sessions, revision, updated_at } = connection;
  const head = printAligned([
    ['name', name],
    ['kind', kind === null ? connection.kind : `${kind.kind} (${kind.title})`],
    ...(description === '' ? [] : [['description', description]]),
    ['overrides', allowed_overrides.join(', ') || 'none'],
    ['timeout', timeout_ms === null ? 'none' : `${timeout_ms / 1000} s`],
    ['sessions', max_sessions === null ? 'no limit' : `at most ${max_sessions}`],
    ['changed', `${updated_at} (revision ${revision})`],
  ]);
  return `${head}\n${printAligned(listOptions(connection, kind))}`;
}

/** Lists all options of the kind with their values, including unset ones. */
function listOptions({ options, secrets }: ConnectionBody, kind: ConnectionKindBody | null): string[][] {
  const values = new Map([
    ...Object.entries(options),
    ...secrets.map((key) => [key, 'set (hidden)'] as const),
  ]);
  if (kind === null) return [...values].map(([key, value]) => [key, value]);
  return kind.options.map((option) => {
    // A required option without a value is hidden: only administrators see paths of files.
    const missing = option.required ? 'set (hidden)' : 'not set';
    const fallback = option.default === null ? missing : `default: ${option.default}`;
    return [option.name, values.get(option.name) ?? fallback, option.description];
  });
}
