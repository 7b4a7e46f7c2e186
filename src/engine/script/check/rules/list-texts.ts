import type { Body, Part } from '../../syntax/ast.ts';

/** The pieces of text in a body, those in conditions and loops included. */
export function listTexts({ parts }: Body): readonly Part[] {
  return parts.flatMap((part) => {
    if (part.kind === 'text') return [part];
    if (part.kind === 'for') return listTexts(part.body);
    if (part.kind !== 'if') return [];
    const otherwise = part.otherwise === null ? [] : listTexts(part.otherwise);
    return [...part.branches.flatMap(({ body }) => listTexts(body)), ...otherwise];
  });
}
