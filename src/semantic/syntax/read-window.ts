import type { WindowDef } from 'libpg-query';
import type { Span } from '../../engine/text/span.ts';
import { SemanticSqlError, syntaxTexts } from './semantic-sql-error.ts';
import type { FrameBoundSyntax, FrameSyntax, WindowSyntax } from './syntax.ts';
import { checkFields, type TreeContext } from './tree.ts';

/** Bits of the parser's `frameOptions` (PostgreSQL's parsenodes.h). */
const FRAME = {
  nonDefault: 0x1,
  range: 0x2,
  rows: 0x4,
  startUnboundedPreceding: 0x20,
  endUnboundedPreceding: 0x40,
  startCurrent: 0x200,
  endCurrent: 0x400,
  startOffsetPreceding: 0x800,
  endOffsetPreceding: 0x1000,
  exclude: 0x8000 | 0x10000 | 0x20000,
} as const;

const FIELDS = 'name refname partitionClause orderClause frameOptions startOffset endOffset location';

/** Reads the content of OVER (…), or of a name in WINDOW. */
export function readWindow(context: TreeContext, window: WindowDef): WindowSyntax {
  const span = context.text.findSpan(window.location);
  checkFields(window, FIELDS, 'this window', span);
  const toName = (name: string | undefined) =>
    name === undefined ? null : context.text.readName(name, span);
  return {
    name: toName(window.name),
    base: toName(window.refname),
    partitionBy: (window.partitionClause ?? []).map(context.readExpression),
    orderBy: context.readOrder(window.orderClause),
    frame: readFrame(context, window, span),
  };
}

function readFrame(context: TreeContext, window: WindowDef, span: Span): FrameSyntax | null {
  const options = window.frameOptions ?? 0;
  const has = (bits: number) => (options & bits) !== 0;
  if (!has(FRAME.nonDefault)) return null;
  if (has(FRAME.exclude)) {
    throw new SemanticSqlError(span, syntaxTexts.feature('EXCLUDE in a window', 'remove it'));
  }
  const unit = has(FRAME.rows) ? 'rows' : has(FRAME.range) ? 'range' : 'groups';
  const bound = (
    node: WindowDef['startOffset'],
    isCurrent: boolean,
    isPreceding: boolean,
  ): FrameBoundSyntax => {
    if (isCurrent) return { side: 'current', rows: null };
    const rows = node === undefined ? null : context.readExpression(node);
    return { side: isPreceding ? 'preceding' : 'following', rows };
  };
  return {
    unit,
    from: bound(
      window.startOffset,
      has(FRAME.startCurrent),
      has(FRAME.startUnboundedPreceding | FRAME.startOffsetPreceding),
    ),
    to: bound(
      window.endOffset,
      has(FRAME.endCurrent),
      has(FRAME.endUnboundedPreceding | FRAME.endOffsetPreceding),
    ),
  };
}
