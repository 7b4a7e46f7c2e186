import { notNull } from '../../../../invariants/must.ts';
import { isReplaced } from '../../params/params.ts';
import { listBodyParts } from './list-texts.ts';
import type { Rule } from './rule.ts';

/** The check for the start of the line comes last: otherwise it would run at every character of a long script. */
const DECLARATION = /#\+(?:import|src|test|macro|const)\b(?<=^[^\S\n\r\u2028\u2029]*#\+\w+)/m;

/**
 * Warns of a possible declaration inside a body: an `#+end` is probably missing (docs/reference/language.md#bodies).
 */
export const closedBodies: Rule = ({ packages }, report) => {
  for (const file of packages.values().flatMap(({ files }) => files)) {
    const { blocks, macros, rendered } = file.file;
    for (const { body } of [...blocks, ...macros]) {
      const part = listBodyParts(body, 'text').find(({ start, end }) =>
        DECLARATION.test(rendered.text.slice(start, end)),
      );
      if (part === undefined) continue;
      const match = notNull(DECLARATION.exec(rendered.text.slice(part.start, part.end)));
      const start = part.start + match.index;
      if (isReplaced(rendered, start)) continue;
      const message = `this \`${match[0]}\` is text inside a body: is an \`#+end\` missing before it?`;
      report(file, { start, end: start + match[0].length }, message, 'warning');
    }
  }
};
