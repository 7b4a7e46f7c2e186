import type { Span } from '../../../engine/text/span.ts';
import { isDateType } from '../../expression/create-date.ts';
import {
  createDateText,
  DATE_PARTS,
  type DatePart,
  type DatePiece,
} from '../../expression/create-date-text.ts';
import type { Expression } from '../../expression/expression.ts';
import { foldConstant } from '../../expression/fold-constant.ts';
import { SemanticSqlError } from '../../syntax/semantic-sql-error.ts';
import type { CallSyntax } from '../../syntax/syntax.ts';
import { translationTexts } from '../messages/translation-texts.ts';
import type { Translation } from './translation.ts';

const MAX_PARTS = 100;

/** PostgreSQL's patterns that begin with another one and are not supported. */
const OTHERS = ['SSSSS', 'SSSS', 'IDDD', 'MONTH', 'DAY', 'DY'];

const NAMES: ReadonlyMap<string, DatePart> = new Map(DATE_PARTS.map((part) => [part, part]));
/** As in PostgreSQL, the longest name counts. */
const LONGEST_FIRST = [...DATE_PARTS, ...OTHERS].toSorted((left, right) => right.length - left.length);

/** A text in double quotes, where a backslash escapes; an escaped quote; a pattern; other letters; any character. */
const PIECES = new RegExp(
  String.raw`"(?<quoted>(?:[^"\\]|\\.)*)"|\\(?<escaped>")|(?<trim>FM)?(?<name>${LONGEST_FIRST.join('|')})|(?<letters>[A-Za-z]+)|(?<other>.)`,
  'gsu',
);

/** Translates TO_CHAR of a date or time. Throws a SemanticSqlError. */
export function translateDateText<Field>(
  call: CallSyntax,
  { translate, timezone }: Translation<Field>,
): Expression<Field> {
  const [value, pattern, ...others] = call.args;
  if (value === undefined || pattern === undefined || others.length > 0) {
    throw new SemanticSqlError(call, translationTexts.shape('to_char', "TO_CHAR(ordered_at, 'YYYY-MM')"));
  }
  const of = translate(value);
  if (!isDateType(of.dataType)) throw new SemanticSqlError(call, translationTexts.charValue(of.dataType));
  const text = foldConstant(translate(pattern));
  if (text.kind !== 'literal' || text.value?.type !== 'text') {
    throw new SemanticSqlError(pattern, translationTexts.charPattern());
  }
  return createDateText(of, readPieces(text.value.text, pattern), timezone);
}

/** Reads a pattern. Throws a SemanticSqlError. */
function readPieces(pattern: string, span: Span): readonly DatePiece[] {
  const pieces: DatePiece[] = [];
  for (const { groups = {} } of pattern.matchAll(PIECES)) {
    const piece = readPiece(groups, span);
    const last = pieces.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') pieces.splice(-1, 1, last + piece);
    else pieces.push(piece);
  }
  const { length } = pieces.filter((piece) => typeof piece !== 'string');
  if (length === 0) throw new SemanticSqlError(span, translationTexts.noPart(DATE_PARTS));
  if (length > MAX_PARTS) throw new SemanticSqlError(span, translationTexts.tooManyParts(MAX_PARTS));
  return pieces;
}

type Groups = Readonly<Partial<Record<string, string>>>;

function readPiece({ quoted, escaped, trim, name, letters, other = '' }: Groups, span: Span): DatePiece {
  const word = name ?? letters;
  if (word !== undefined) {
    const part = NAMES.get(word);
    if (part === undefined) throw new SemanticSqlError(span, translationTexts.unknownPart(word, DATE_PARTS));
    return { part, isTrimmed: trim !== undefined };
  }
  if (other === '"') throw new SemanticSqlError(span, translationTexts.openQuote());
  return quoted?.replaceAll(/\\(.)/gsu, '$1') ?? escaped ?? other;
}
