import type { Node } from 'libpg-query';
import { isGroupByAll } from './parser-text.ts';
import { LIMITS, SemanticSqlError, syntaxTexts } from './semantic-sql-error.ts';
import type { ExpressionSyntax, SelectSyntax } from './syntax.ts';
import { findNode, listTexts, type TreeContext } from './tree.ts';

type Groups = Pick<SelectSyntax, 'groupBy' | 'levels'>;

/** A set of keys, as indexes. */
type Level = readonly number[];

/** Reads GROUP BY. Throws a SemanticSqlError, also for more levels than supported. */
export function readGroups(context: TreeContext, list: readonly Node[]): Groups {
  const [only, ...others] = list;
  const [name, ...further] = listTexts(findNode(only, 'ColumnRef')?.fields);
  if (name !== undefined && others.length + further.length === 0) {
    if (isGroupByAll(context.text.readName(name, { start: 0, end: 0 })))
      return { groupBy: 'all', levels: null };
  }
  const reader = new GroupReader(context);
  const levels = reader.readAll(list);
  const hasLevels = list.some((node) => findNode(node, 'GroupingSet') !== undefined);
  return { groupBy: reader.keys, levels: hasLevels ? levels : null };
}

class GroupReader {
  readonly keys: ExpressionSyntax[] = [];
  readonly #context: TreeContext;

  constructor(context: TreeContext) {
    this.#context = context;
  }

  /** The levels of all parts of GROUP BY: each level of one with each level of the others. */
  readAll(parts: readonly Node[]): readonly Level[] {
    let all: readonly Level[] = [[]];
    for (const part of parts) {
      const own = this.#read(part);
      this.#check(all.length * own.length, part);
      all = all.flatMap((level) => own.map((more) => [...level, ...more]));
    }
    return all;
  }

  #read(node: Node): readonly Level[] {
    const set = findNode(node, 'GroupingSet');
    if (set === undefined) return [this.#readKeys(node)];
    const content = set.content ?? [];
    switch (set.kind) {
      case 'GROUPING_SET_ROLLUP': {
        const parts = content.map((part) => this.#readKeys(part));
        this.#check(parts.length + 1, node);
        return [parts, ...parts.map((_, at) => parts.slice(0, parts.length - 1 - at))].map((level) =>
          level.flat(),
        );
      }
      case 'GROUPING_SET_CUBE':
        this.#check(2 ** content.length, node);
        return this.#readCube(content.map((part) => this.#readKeys(part)));
      case 'GROUPING_SET_SETS': {
        let levels: readonly Level[] = [];
        for (const part of content) {
          levels = [...levels, ...this.#read(part)];
          this.#check(levels.length, node);
        }
        return levels;
      }
      default:
        return [[]];
    }
  }

  /** All subsets, those with the first parts first. */
  #readCube(parts: readonly Level[]): readonly Level[] {
    const [first, ...others] = parts;
    if (first === undefined) return [[]];
    const rest = this.#readCube(others);
    return [...rest.map((level) => [...first, ...level]), ...rest];
  }

  /** One key, or several in parentheses. */
  #readKeys(node: Node): Level {
    const parts = findNode(node, 'RowExpr')?.args ?? [node];
    return parts.map((part) => this.keys.push(this.#context.readExpression(part)) - 1);
  }

  #check(count: number, node: Node): void {
    if (count <= LIMITS.levels) return;
    const span = this.#context.text.findSpan(findNode(node, 'GroupingSet')?.location);
    throw new SemanticSqlError(span, syntaxTexts.tooManyLevels());
  }
}
