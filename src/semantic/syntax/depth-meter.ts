import { LIMITS, SemanticSqlError, syntaxTexts } from './semantic-sql-error.ts';
import type { Token } from './token.ts';

/** The content of one pair of parentheses or brackets, or of one CASE. */
interface Level {
  /** The number of operators since the last comma or clause. */
  operators: number;
  /** The depth between the operators. */
  inner: number;
  /** Joins and set operations, which clauses do not reset. */
  combined: number;
  /** The depth of the deepest part before the last comma or clause. */
  deepest: number;
}

const OPENING: ReadonlySet<string> = new Set(['(', '[', 'case']);
const CLOSING: ReadonlySet<string> = new Set([')', ']', 'end']);
/** Words that end a chain of operators. */
const CLAUSES: ReadonlySet<string> = new Set(
  ', select from where group having order limit offset window when then else on values'.split(' '),
);
const COMBINING: ReadonlySet<string> = new Set(['join', 'union', 'intersect', 'except']);
/** Operators that are words; one word of each multi-word operator. */
const OPERATOR_WORDS: ReadonlySet<string> = new Set(
  'and or not is isnull notnull in like ilike similar between collate at over filter operator'.split(' '),
);
const OPERATOR_SIGNS = /^[-+*/<>=~!@#%^&|`?:[]$/;

/**
 * Measures the depth of the parser's tree, because the parser recurses: each level and each operator of a chain is one
 * step. Throws a SemanticSqlError above the limits.
 */
export class DepthMeter {
  readonly #open: Level[] = [createLevel()];

  add(token: Token): void {
    const { word } = token;
    const level = this.#open.at(-1) ?? createLevel();
    if (OPERATOR_SIGNS.test(word) || OPERATOR_WORDS.has(word)) level.operators += 1;
    if (COMBINING.has(word)) level.combined += 1;
    if (CLAUSES.has(word)) endPart(level);
    if (CLOSING.has(word) && this.#open.length > 1) this.#close(level);
    if (OPENING.has(word)) this.#open.push(createLevel());
    this.#check(token);
  }

  #close(level: Level): void {
    this.#open.pop();
    const outer = this.#open.at(-1);
    if (outer !== undefined) outer.inner = Math.max(outer.inner, measure(level) + 1);
  }

  #check(token: Token): void {
    if (this.#open.length - 1 > LIMITS.nesting) throw new SemanticSqlError(token, syntaxTexts.nesting());
    const level = this.#open.at(-1) ?? createLevel();
    if (level.operators > LIMITS.chain || level.combined > LIMITS.chain) {
      throw new SemanticSqlError(token, syntaxTexts.chain());
    }
    if (measure(level) > LIMITS.depth) throw new SemanticSqlError(token, syntaxTexts.depth());
  }
}

function createLevel(): Level {
  return { operators: 0, inner: 0, combined: 0, deepest: 0 };
}

function endPart(level: Level): void {
  level.deepest = Math.max(level.deepest, level.operators + level.inner);
  level.operators = 0;
  level.inner = 0;
}

function measure({ operators, inner, combined, deepest }: Level): number {
  return Math.max(deepest, operators + inner) + combined;
}
