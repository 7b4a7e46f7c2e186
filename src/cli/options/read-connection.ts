import type { ConnectionFields } from '../../connections/body.ts';
import type { ConnectionKindBody } from '../../connections/connection-body.ts';
import { notNull } from '../../invariants/must.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import type { OptionsOf } from '../table/commands.ts';
import { askSecret, canAsk } from '../terminal/prompts.ts';
import { readText } from './read-text.ts';
import { readPairs, readTimeout } from './run-options.ts';

type CreateOptions = OptionsOf<'connection create'>;

/** The options of commands that test or change a connection; those of `connection create` that they have. */
type SettingOptions = Pick<CreateOptions, 'set' | 'secret'> & { readonly kind: string | undefined } & Partial<
    Pick<CreateOptions, 'allowOverride' | 'overrides' | 'timeout' | 'maxSessions' | 'description'>
  >;

/** The fields of a connection from the options of a command, without its name. Prompts for secrets. */
export async function readNewSettings(
  context: CliContext,
  options: SettingOptions,
  kinds: readonly ConnectionKindBody[],
): Promise<Omit<ConnectionFields, 'name'>> {
  const set = readPairs('--set', options.set);
  const kind = kinds.find((one) => one.kind === options.kind);
  const exposed = kind?.options.find(({ name: key, secret }) => secret && key in set);
  if (exposed !== undefined) throw exposedSecret(exposed.name);
  const { maxSessions, description, allowOverride = [], overrides = true } = options;
  return {
    kind: options.kind,
    options: set,
    allowedOverrides: readOverrides({ allowOverride, overrides }),
    timeoutMs: readTimeout({ timeout: options.timeout }),
    maxSessions,
    description,
    secrets: await readSecrets(context, readSources(options.secret)),
  };
}

/** Undefined: the overrides that the kind allows. */
function readOverrides({
  allowOverride,
  overrides,
}: Pick<CreateOptions, 'allowOverride' | 'overrides'>): readonly string[] | undefined {
  if (allowOverride.length === 0) return overrides ? undefined : [];
  if (overrides) return allowOverride;
  throw new UsageError('--no-overrides and --allow-override contradict each other');
}

/** The source of each secret: an environment variable, or null for a prompt. */
function readSources(texts: readonly string[]): ReadonlyMap<string, string | null> {
  const sources = new Map<string, string | null>();
  for (const text of texts) {
    const [, key, source] = notNull(/^([^=]*)(?:=(.*))?$/s.exec(text));
    const variable = source === undefined ? null : /^env:(.+)$/.exec(source)?.[1];
    // Any other text may be the secret itself, so it is not repeated.
    if (!key || variable === undefined) throw exposedSecret(key || 'KEY');
    if (sources.has(key)) throw new UsageError(`--secret ${key} is given twice`);
    sources.set(key, variable);
  }
  return sources;
}

function exposedSecret(key: string): UsageError {
  return new UsageError(`${key} is a secret, and other users can see arguments: use --secret ${key}`);
}

async function readSecrets(
  context: CliContext,
  sources: ReadonlyMap<string, string | null>,
): Promise<Record<string, string>> {
  const secrets: Record<string, string> = {};
  const prompted = [...sources.values()].filter((variable) => variable === null).length;
  if (prompted > 1 && !canAsk(context)) {
    throw new UsageError('only one secret can be read from standard input: use --secret KEY=env:VARIABLE');
  }
  for (const [key, variable] of sources) {
    secrets[key] = variable === null ? await askFor(context, key) : readVariable(context, key, variable);
  }
  return secrets;
}

async function askFor(context: CliContext, key: string): Promise<string> {
  if (canAsk(context)) return askSecret(key, context);
  const secret = (await readText(context, '-', 'exact')).replace(/\r?\n$/, '');
  if (secret === '') throw new UsageError(`standard input is empty: it must contain the secret ${key}`);
  return secret;
}

function readVariable({ env }: CliContext, key: string, variable: string): string {
  const secret = env[variable];
  if (secret) return secret;
  const state = secret === undefined ? 'not set' : 'empty';
  throw new UsageError(`--secret ${key}: the environment variable ${variable} is ${state}`);
}
