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
