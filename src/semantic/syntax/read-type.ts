import type { TypeName } from 'libpg-query';
import { SemanticSqlError, syntaxTexts } from './semantic-sql-error.ts';
import type { TypeSyntax } from './syntax.ts';
import { checkFields, findNode, listTexts, type TreeContext } from './tree.ts';

const FIELDS = 'names typmods typemod location';

/** Reads the type of a cast. */
export function readType(context: TreeContext, type: TypeName): TypeSyntax {
  const span = context.text.findSpan(type.location);
  checkFields(type, FIELDS, 'this type', span);
  const names = listTexts(type.names);
  const last = names.at(-1) ?? '';
  const { text, isQuoted } = context.text.readName(last, span);
  const isOwn = names.length === 1 || (names.length === 2 && names[0] === 'pg_catalog');
  if (!isOwn || (isQuoted && text !== text.toLowerCase())) {
    throw new SemanticSqlError(span, syntaxTexts.unsupported(`type \`${text}\``));
  }
  const args = (type.typmods ?? []).map((node) => {
    const value = findNode(node, 'A_Const');
    if (value?.ival === undefined)
      throw new SemanticSqlError(span, syntaxTexts.unsupported(`this form of type \`${text}\``));
    return value.ival.ival ?? 0;
  });
  return { name: text, args };
}
