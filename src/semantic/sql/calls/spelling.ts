import { elementAt } from '../../../invariants/must.ts';
import type { DataType, Platform } from '../../model/model.ts';

/** An argument as it is printed, alone and beside an operator. */
export interface Printed {
  readonly text: string;
  readonly operand: string;
}

/** The SQL of a call; the types are those of its arguments. */
export type Spelling = (args: readonly Printed[], types: readonly DataType[]) => string;

/** How platforms write a function: `all`, but those that are named. */
export type Spellings = Readonly<{ all: Spelling } & { [K in Platform]?: Spelling }>;

/** A function of this name. */
export function call(name: string): Spelling {
  return (args) => `${name}(${args.map(({ text }) => text).join(', ')})`;
}

/** An operator between two arguments. */
export function infix(operator: string): Spelling {
  return (args) => `${elementAt(args, 0).operand} ${operator} ${elementAt(args, 1).operand}`;
}

/** SQL in which `$1` is the first argument and so on, and `#1` the first one where an operator stands beside it. */
export function template(sql: string): Spelling {
  return (args) =>
    sql.replace(/([$#])(\d)/g, (_, mark: string, place: string) => {
      const { text, operand } = elementAt(args, Number(place) - 1);
      return mark === '$' ? text : operand;
    });
}

/** A minus sign before an argument; two of them in a row would begin a comment. */
export function minus({ text, operand }: Printed): string {
  return operand.startsWith('-') ? `-(${text})` : `-${operand}`;
}

/** A spelling by the type of the first argument. */
export function byType(spellings: Readonly<Partial<Record<DataType, Spelling>>>, other: Spelling): Spelling {
  return (args, types) => (spellings[elementAt(types, 0)] ?? other)(args, types);
}
