import type { Rendered } from '../../params/params.ts';
import type { Body, Part } from '../../syntax/ast.ts';

type PartOf<K extends Part['kind']> = Part & { readonly kind: K };

/** The parts of a kind in a body, including those in conditions and loops. */
export function listBodyParts<K extends 'text' | 'interpolation'>(
  { parts }: Body,
  kind: K,
): readonly PartOf<K>[] {
  return parts.flatMap((part): readonly PartOf<K>[] => {
    if (isOf(part, kind)) return [part];
    if (part.kind === 'for') return listBodyParts(part.body, kind);
    if (part.kind !== 'if') return [];
    const otherwise = part.otherwise === null ? [] : listBodyParts(part.otherwise, kind);
    return [...part.branches.flatMap(({ body }) => listBodyParts(body, kind)), ...otherwise];
  });
}

function isOf<K extends Part['kind']>(part: Part, kind: K): part is PartOf<K> {
  return part.kind === kind;
}

/** The SQL of a body; everything else is replaced by spaces. */
export function keepTexts(body: Body, { text }: Rendered): string {
  let sql = '';
  for (const { start, end } of listBodyParts(body, 'text')) {
    sql = sql.padEnd(start - body.start) + text.slice(start, end);
  }
  return sql;
}
