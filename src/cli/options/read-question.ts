import { notNull } from '../../invariants/must.ts';
import { OPERANDS } from '../../semantic/query/read-query.ts';
import type { SemanticQuestion } from '../../workspace/api/semantic-api.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { QuestionOptions } from '../table/semantic-commands.ts';
import { sourceName } from './open-input.ts';
import { readJsonInput } from './read-json-input.ts';

const FLAGS = ['dimensions', 'measures', 'filter', 'order', 'limit', 'offset'] as const;

/**
 * The semantic query from a JSON file or standard input (`-`), as programs send it; or from the options
 * (docs/reference/semantic-http.md#sql-of-a-semantic-query), which accept relative dates such as `yesterday`. Throws a
 * UsageError.
 */
export async function readQuestion(
  context: CliContext,
  file: string | undefined,
  options: QuestionOptions,
): Promise<SemanticQuestion> {
  const { strict } = options;
  const flag = FLAGS.find((name) => isGiven(options[name]));
  if (file === undefined) {
    if (flag !== undefined) return { query: toQuery(options), strict, now: new Date() };
    throw new UsageError('use --dimensions and --measures, or name a JSON file with the semantic query');
  }
  if (flag !== undefined)
    throw new UsageError(`the semantic query is in ${sourceName(file)}: omit --${flag}`);
  return { query: await readJsonInput(context, file), strict };
}

function isGiven(value: QuestionOptions[(typeof FLAGS)[number]]): boolean {
  return typeof value === 'object' ? value.length > 0 : value !== undefined;
}

function toQuery(options: QuestionOptions): unknown {
  const { limit, offset } = options;
  if (limit === undefined && offset !== undefined) throw new UsageError('--offset requires --limit');
  return {
    dimensions: readFields('--dimensions', options.dimensions),
    measures: readFields('--measures', options.measures),
    filters: options.filter.map(readFilter),
    order_by: splitFields(options.order).map(readOrder),
    limit: limit === undefined ? null : { fetch: limit, skip: offset },
  };
}

/** The fields of a repeatable option, which may also be separated by commas. */
function splitFields(value: readonly string[]): readonly string[] {
  return value.flatMap((text) => text.split(',').map((part) => part.trim()));
}

function readFields(flag: string, value: readonly string[]) {
  return splitFields(value).map((name) => readField(flag, name));
}

/** `entity.field`, or `entity.relationship.field`, which names the entity by a path. */
function readField(flag: string, name: string) {
  const at = name.lastIndexOf('.');
  if (at < 1 || at === name.length - 1) {
    const advice = '`quern semantic explore` lists the fields of a model';
    throw new UsageError(`${flag} ${name}: expected \`entity.field\``, EXIT.usage, advice);
  }
  return { entity: name.slice(0, at), field: name.slice(at + 1) };
}

function readOrder(text: string) {
  const [, name = '', direction = 'asc'] = notNull(/^(.*?)(?::(asc|desc))?$/is.exec(text));
  return { field: readField('--order', name), desc: direction.toLowerCase() === 'desc' };
}

const KNOWN = new RegExp(
  `^(.+?)\\s+(${Object.keys(OPERANDS)
    .sort((one, other) => other.length - one.length)
    .join('|')})(?:\\s+(.*))?$`,
  'is',
);

/** `entity.field OPERATOR value|value`; `\|` is a bar in a value. */
function readFilter(text: string) {
  const match = KNOWN.exec(text) ?? /^(\S+)\s+(\S+)(?:\s+(.*))?$/s.exec(text);
  if (match === null) throw new UsageError(`--filter ${text}: expected "entity.field OPERATOR value"`);
  const [, name = '', word = '', value] = match;
  const type = word.toUpperCase();
  const operator = { type, ...readOperands(type, value) };
  return { type: 'CONDITION', field: readField('--filter', name), operator };
}

function readOperands(type: string, value: string | undefined) {
  if (value === undefined) return {};
  if (new Map<string, number | null>(Object.entries(OPERANDS)).get(type) === 1) return { value };
  return { values: value.split(/(?<!\\)\|/).map((part) => part.replaceAll('\\|', '|')) };
}
