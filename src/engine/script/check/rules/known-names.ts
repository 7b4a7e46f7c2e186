import { findReference } from '../../resolve.ts';
import type { Rule } from '../rule.ts';
import { walkProgram } from '../walk.ts';

/**
 * Every name means something, and private names stay in their package (language 1). A name that stands in a
 * file with faults of syntax may be defined there, and is left alone.
 */
export const knownNames: Rule = (program, report) => {
  walkProgram(program, (expression, place) => {
    const resolved = findReference(program, expression, place);
    if (resolved?.kind !== 'unknown' || resolved.reported) return;
    const at = expression.kind === 'member' ? expression.member : expression;
    const { name } = at as { readonly name: string };
    if (program.broken.some(({ rendered }) => rendered.text.includes(name))) return;
    report(place.file, at, resolved.message);
  });
};
