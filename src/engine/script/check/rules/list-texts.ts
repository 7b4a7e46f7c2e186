import type { Rendered } from '../../params/params.ts';
import type { Body, Part } from '../../syntax/ast.ts';

/** The text parts of a body, including those in conditions and loops. */
export function listTexts({ parts }: Body): readonly Part[] {
  return parts.flatMap((part) => {
    if (part.kind === 'text') return [part];
    if (part.kind === 'for') return listTexts(part.body);
    if (part.kind !== 'if') return [];
    const otherwise = part.otherwise === null ? [] : listTexts(part.otherwise);
    return [...part.branches.flatMap(({ body }) => listTexts(body)), ...otherwise];
  });
}

/** The SQL of a body; everything else is replaced by spaces. */
export function keepTexts(body: Body, { text }: Rendered): string {
  let kept = '';
  for (const { start, end } of listTexts(body)) {
    kept = kept.padEnd(start - body.start) + text.slice(start, end);
  }
  return kept;
}
