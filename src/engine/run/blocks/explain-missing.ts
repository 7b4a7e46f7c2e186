import { notNull } from '../../../invariants/must.ts';
import { type Connection, DatabaseError } from '../../connection/contract/connection.ts';
import { type Publication, printPublishedName } from '../../script/values/publication.ts';
import type { RunContext } from '../../script/values/scope.ts';
import { StatementError } from '../outcome/statement-error.ts';

/** The session and run in which an error occurred. */
interface ErrorContext {
  readonly connection: Connection;
  readonly context: RunContext;
  readonly signal: AbortSignal;
}

/** A call of `publication.Run` as SQL. */
const LITERAL_RUN = /^publication\.run\s*\(/i;
const NOT_SQL =
  '`publication.Run` is not a function of SQL, and has no rows: write `{{ publication.Run(…) }};` as a separate statement';

/**
 * Adds advice to three errors: the table or view of a published block does not exist in the database, or is not an
 * entity of the semantic model; or SQL calls `publication.Run`. Any other error is unchanged.
 */
export async function explainMissing(error: unknown, errorContext: ErrorContext): Promise<unknown> {
  if (!(error instanceof StatementError)) return error;
  const { code } = error.cause;
  if (code !== 'sql' && code !== 'refused') return error;
  const { publications, dialect } = errorContext.context;
  if (LITERAL_RUN.test(error.remainingSql)) return withMessage(error, NOT_SQL);
  for (const [{ name }, publication] of publications) {
    if (publication === null || publication.name === null) continue;
    const target = printPublishedName(publication, dialect);
    if (!isAbout(error, target)) continue;
    if (code === 'sql' && !(await isMissing(publication, errorContext))) continue;
    const published = `the block \`${name?.name}\` is published as \`${target}\``;
    const message =
      code === 'sql'
        ? `${published}, which does not exist: publish it first, with \`publication.Run\``
        : `${published}, which is not an entity of the model: add an entity for it to the model, or call a block without \`:publication\``;
    return withMessage(error, message);
  }
  return error;
}

function withMessage({ cause, diagnostic, remainingSql }: StatementError, message: string): StatementError {
  const explained = new DatabaseError(cause.code, message, cause.offset, { cause });
  return new StatementError(explained, { ...diagnostic, message }, remainingSql);
}

function isAbout({ remainingSql }: StatementError, target: string): boolean {
  return remainingSql.startsWith(target) && !/^[\w$]/.test(remainingSql.slice(target.length));
}

/** False if the database cannot answer, as in a failed transaction. */
async function isMissing(
  { schema, name }: Publication,
  { connection, signal }: ErrorContext,
): Promise<boolean> {
  const { publishing } = connection;
  try {
    return (await publishing.find(await publishing.resolve(schema, notNull(name), signal), signal)) === null;
  } catch (error) {
    if (error instanceof DatabaseError) return false;
    throw error;
  }
}
