import { existsSync } from 'node:fs';
import path from 'node:path';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { sourceName } from './open-input.ts';
import { readText } from './read-text.ts';

interface Sql {
  /** The name of its source, for messages. */
  readonly name: string;
  readonly text: string;
}

/** Where the SQL of a command can be. */
interface GivenSql {
  readonly argument: string | undefined;
  readonly file: string | undefined;
  /** The name of the connection. */
  readonly connection: string | undefined;
}

/** The start of a statement, with the next word. */
const STATEMENT = /^\s*(?:select|with|from|values|insert|update|delete|create|drop|alter|show|explain)\s+\S/i;

/**
 * The SQL of a command: its argument, the file of `--file`, or standard input, which is read for `-` and if it is not a
 * terminal. Throws a UsageError.
 */
export async function readSql(context: CliContext, { argument, file, connection }: GivenSql): Promise<Sql> {
  if (file !== undefined) {
    if (argument !== undefined) throw new UsageError('use --file or an argument for SQL, not both');
    return readSource(context, file);
  }
  if (argument === undefined && connection !== undefined && STATEMENT.test(connection)) {
    throw new UsageError('-c names a connection; pass SQL as an argument');
  }
  if (argument === undefined || argument === '-') return readStandardInput(context, argument);
  if (argument.trim() === '') throw new UsageError('the SQL is empty: give a statement');
  return argument.startsWith('@') ? readAtFile(context, argument) : { name: 'sql', text: argument };
}

async function readStandardInput(context: CliContext, argument: '-' | undefined): Promise<Sql> {
  const isRead = argument === '-' || !context.stdin.isTTY;
  const text = isRead ? await readText(context, '-') : '';
  if (text.trim() !== '') return { name: sourceName('-'), text };
  const advice = 'pass it as an argument, with --file FILE, or on standard input';
  throw new UsageError('no SQL given', EXIT.usage, advice);
}

async function readSource(context: CliContext, name: string): Promise<Sql> {
  const text = await readText(context, name);
  if (text.trim() === '') throw new UsageError(`${sourceName(name)} is empty: give a statement`);
  return { name: sourceName(name), text };
}

/** `@FILE`, the earlier spelling of `--file FILE`. */
async function readAtFile(context: CliContext, argument: string): Promise<Sql> {
  const file = argument.slice(1);
  if (!existsSync(path.resolve(context.cwd, file))) {
    throw new UsageError(
      `cannot read ${file}: there is no such file; to run a script from the catalog, use \`quern exec ${argument}\``,
    );
  }
  await context.stderr.write(`warning: \`@FILE\` is deprecated here; use \`--file ${file}\`\n`);
  return readSource(context, file);
}
