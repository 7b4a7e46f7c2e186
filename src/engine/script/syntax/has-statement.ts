import type { Body } from './ast.ts';

/** Whether there is anything to run: more than blanks, comments and `;`. */
export function hasStatement({ parts }: Body, text: string): boolean {
  return parts.some((part) => {
    if (part.kind === 'text') return /[^\s;\ufeff]/.test(text.slice(part.start, part.end).trimStart());
    return part.kind !== 'comment';
  });
}
