import { elementAt } from '../../invariants/must.ts';
import type { Pattern, SqlExpr } from '../sql/nodes.ts';

/** Parses a pattern in which a backslash escapes. */
export function readPattern(text: string): Pattern {
  const pattern: Pattern[number][] = [];
  let plain = '';
  const end = () => {
    if (plain !== '') pattern.push(plain);
    plain = '';
  };
  const characters = [...text];
  for (let at = 0; at < characters.length; at += 1) {
    const character = elementAt(characters, at);
    if (character === '%' || character === '_') {
      end();
      pattern.push({ wild: character === '%' ? 'many' : 'one' });
    } else if (character === '\\') {
      at += 1;
      plain += elementAt(characters, at);
    } else plain += character;
  }
  end();
  return pattern;
}

/** Pattern shapes that equal a simple match, by the kinds of their parts. */
const SHAPES: Readonly<Record<string, 'contains' | 'starts' | 'ends' | undefined>> = {
  'many text many': 'contains',
  'text many': 'starts',
  'many text': 'ends',
};

/** LIKE, or a faster match with the same meaning. */
export function createLike(expr: SqlExpr, pattern: Pattern, caseSensitive: boolean): SqlExpr {
  const shape = pattern.map((part) => (typeof part === 'string' ? 'text' : part.wild)).join(' ');
  const how = SHAPES[shape];
  const text = pattern.find((part) => typeof part === 'string');
  if (how !== undefined && text !== undefined) {
    return { kind: 'match', how, expr, text, caseSensitive, negated: false };
  }
  return { kind: 'like', expr, pattern, caseSensitive, negated: false };
}
