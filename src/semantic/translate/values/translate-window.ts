import { createCase } from '../../expression/create-expression.ts';
import { createWindow, WINDOW_CALLS, type WindowName } from '../../expression/create-window.ts';
import type { TypedExpression, WindowExpression } from '../../expression/expression.ts';
import type { FrameBound, WindowFrame } from '../../sql/nodes.ts';
import { SemanticSqlError } from '../../syntax/semantic-sql-error.ts';
import type { CallSyntax, ExpressionSyntax, FrameBoundSyntax, WindowSyntax } from '../../syntax/syntax.ts';
import { translationTexts } from '../messages/translation-texts.ts';
import { withPlace } from '../messages/with-place.ts';
import { readFunctionName } from './translate-call.ts';

/** Translates a function with OVER; `windows` are the definitions in WINDOW. Throws a SemanticSqlError. */
export function translateWindow<Field>(
  syntax: CallSyntax,
  windows: readonly WindowSyntax[],
  translate: (syntax: ExpressionSyntax) => TypedExpression<Field>,
  timezone: string,
): WindowExpression<Field> {
  const name = readFunctionName(syntax).toUpperCase();
  if (!isWindowName(name))
    throw new SemanticSqlError(syntax, translationTexts.noFunction(name.toLowerCase()));
  if (syntax.isDistinct) throw new SemanticSqlError(syntax, translationTexts.windowDistinct());
  const { partitionBy, orderBy, frame } = findWindow(syntax, windows);
  const args = syntax.args.map(translate);
  const filter = syntax.filter === null ? null : translate(syntax.filter);
  return withPlace(syntax, () =>
    createWindow(name, {
      args: filter === null ? args : [keepWhere(filter, args[0], timezone)],
      isStar: syntax.isStar && filter === null,
      isFiltered: filter !== null,
      partitionBy: partitionBy.map(translate),
      orderBy: orderBy.map(({ value, isDescending, nulls }) => ({
        value: translate(value),
        desc: isDescending,
        nullsFirst: nulls === 'first',
      })),
      frame: frame === null ? null : readFrame(frame, syntax),
    }),
  );
}

function isWindowName(name: string): name is WindowName {
  return Object.hasOwn(WINDOW_CALLS, name);
}

const ONE = {
  kind: 'literal',
  value: { kind: 'literal', type: 'number', text: '1' },
  dataType: 'INTEGER',
  nullable: false,
} as const;

/** Keeps the values that satisfy a condition; for the rows themselves, a number. */
function keepWhere<Field>(
  filter: TypedExpression<Field>,
  value: TypedExpression<Field> | undefined,
  timezone: string,
): TypedExpression<Field> {
  return createCase([{ when: filter, value: value ?? ONE }], null, timezone);
}

type Parts = Pick<WindowSyntax, 'partitionBy' | 'orderBy' | 'frame'>;

/** The window of OVER, which can name a window of WINDOW or extend one. */
function findWindow(syntax: CallSyntax, windows: readonly WindowSyntax[]): Parts {
  const { over } = syntax;
  if (over === null) return { partitionBy: [], orderBy: [], frame: null };
  if (over.name !== null) return resolve(over.name.text, syntax, windows);
  return extend(over, syntax, windows);
}

function extend(window: WindowSyntax, syntax: CallSyntax, windows: readonly WindowSyntax[]): Parts {
  if (window.base === null) return window;
  const base = resolve(window.base.text, syntax, windows);
  return {
    partitionBy: base.partitionBy,
    orderBy: base.orderBy.length > 0 ? base.orderBy : window.orderBy,
    frame: window.frame,
  };
}

/** A window can only extend an earlier one, so there is no cycle. */
function resolve(name: string, syntax: CallSyntax, windows: readonly WindowSyntax[]): Parts {
  const at = windows.findIndex((window) => window.name?.text === name);
  const window = windows[at];
  if (window === undefined) throw new SemanticSqlError(syntax, translationTexts.noWindow(name));
  return extend(window, syntax, windows.slice(0, at));
}

function readFrame({ unit, from, to }: NonNullable<WindowSyntax['frame']>, syntax: CallSyntax): WindowFrame {
  if (unit === 'groups') throw new SemanticSqlError(syntax, translationTexts.frameUnit());
  const hasNumber = from.rows !== null || to.rows !== null;
  if (unit === 'range' && hasNumber) throw new SemanticSqlError(syntax, translationTexts.frameRange());
  return { unit: unit === 'rows' ? 'ROWS' : 'RANGE', from: readBound(from), to: readBound(to) };
}

function readBound({ side, rows }: FrameBoundSyntax): FrameBound {
  if (side === 'current') return { side };
  if (rows === null) return { side, rows: null };
  const isWritten = rows.kind === 'literal' && rows.type === 'integer' && /^\d{1,9}$/.test(rows.text);
  if (!isWritten) throw new SemanticSqlError(rows, translationTexts.frameRows());
  return { side, rows: Number(rows.text) };
}
