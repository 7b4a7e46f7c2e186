import { elementAt } from '../../../invariants/must.ts';
import type { Platform, ValueType } from '../../model/model.ts';

/** A printed argument: alone, and next to an operator. */
export interface Printed {
  readonly text: string;
  readonly operand: string;
}

/** Prints the SQL of a call; `types` are the types of its arguments. */
export type Spelling = (args: readonly Printed[], types: readonly ValueType[]) => string;

/** The spellings of a function: `all`, except for the named platforms. */
export type Spellings = Readonly<{ all: Spelling } & { [K in Platform]?: Spelling }>;

/** A function with this name. */
export function call(name: string): Spelling {
  return (args) => `${name}(${args.map(({ text }) => text).join(', ')})`;
}

/** An infix operator. */
export function infix(operator: string): Spelling {
  return (args) => `${elementAt(args, 0).operand} ${operator} ${elementAt(args, 1).operand}`;
}

/** A SQL template: `$1` is the first argument, and `#1` the first argument next to an operator. */
export function template(sql: string): Spelling {
  return (args) =>
    sql.replace(/([$#])(\d)/g, (_, mark: string, digit: string) => {
      const { text, operand } = elementAt(args, Number(digit) - 1);
      return mark === '$' ? text : operand;
    });
}

/** A minus sign before an argument; two minus signs in a row would start a comment. */
export function minus({ text, operand }: Printed): string {
  return operand.startsWith('-') ? `-(${text})` : `-${operand}`;
}

/** Chooses the spelling by the type of the first argument. */
export function byType(spellings: Readonly<Partial<Record<ValueType, Spelling>>>, other: Spelling): Spelling {
  return (args, types) => (spellings[elementAt(types, 0)] ?? other)(args, types);
}
