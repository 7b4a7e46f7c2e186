import type { Span } from '../../../engine/text/span.ts';
import type { Digits } from '../../expression/expression.ts';
import type { ValueType } from '../../model/model.ts';
import { SemanticSqlError } from '../../syntax/semantic-sql-error.ts';
import type { TypeSyntax } from '../../syntax/syntax.ts';
import { translationTexts } from '../messages/translation-texts.ts';

/** PostgreSQL's types by the parser's names. */
const TYPES: Readonly<Record<string, ValueType>> = {
  int2: 'INTEGER',
  int4: 'INTEGER',
  int8: 'INTEGER',
  numeric: 'DECIMAL',
  float4: 'FLOAT',
  float8: 'FLOAT',
  text: 'TEXT',
  varchar: 'TEXT',
  date: 'DATE',
  timestamp: 'TIMESTAMP',
  timestamptz: 'DATETIME',
  bool: 'BOOLEAN',
};

/** The target of a cast; `length` is the number of characters that a text keeps, null for all. */
interface CastType {
  readonly dataType: ValueType;
  readonly digits: Digits | null;
  readonly length: number | null;
}

/** Reads the type of a cast. Throws a SemanticSqlError for one that is not portable. */
export function readCastType({ name, args }: TypeSyntax, span: Span): CastType {
  const dataType = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
  const [precision, scale = 0] = args;
  if (name === 'varchar' && precision !== undefined && precision > 0 && args.length === 1) {
    return { dataType: 'TEXT', digits: null, length: precision };
  }
  const isWrong = precision !== undefined && (dataType !== 'DECIMAL' || args.length > 2);
  if (dataType === undefined || isWrong) {
    const written = args.length === 0 ? name : `${name}(${args.join(', ')})`;
    throw new SemanticSqlError(span, translationTexts.unknownType(written));
  }
  return { dataType, digits: precision === undefined ? null : { precision, scale }, length: null };
}
