import { elementAt, present } from '../../../../invariants/must.ts';
import { hasDefaults } from '../../evaluate/compare-defaults.ts';
import { type BlockDefinition, describeCycle, type Program } from '../../program/program.ts';
import { walkProgram } from '../../program/walk.ts';
import type { CallExpression } from '../../syntax/ast.ts';
import { findEntry } from '../../syntax/find-entry.ts';
import { findReference } from '../../values/resolve.ts';
import type { Rule } from './rule.ts';

interface Call {
  readonly from: BlockDefinition;
  readonly to: BlockDefinition;
  readonly expression: CallExpression;
}

/** Reports a block that calls itself, directly or through other blocks (docs/reference/calls.md#cycles). */
export const noCallCycles: Rule = (program, report) => {
  const calls = findCalls(program);
  const done = new Set<BlockDefinition['declaration']>();
  for (const start of calls.keys()) {
    const cycle = findCycle(calls, start, done);
    if (cycle === null) continue;
    const { from, expression } = elementAt(cycle, -1);
    const sites = cycle.map((call) => ({ ...call.expression, file: call.from.file }));
    const names = cycle.map((call) => call.from.name);
    report(from.file, expression, describeCycle(names, sites));
  }
};

type Calls = ReadonlyMap<BlockDefinition['declaration'], readonly Call[]>;

function findCalls(program: Program): Calls {
  const calls = new Map<BlockDefinition['declaration'], Call[]>();
  walkProgram(program, (expression, context) => {
    const { definition } = context;
    if (expression.kind !== 'call' || definition.kind === 'macro' || definition.kind === 'constant') return;
    const resolved = findReference(program, expression.callee, context);
    if (resolved?.kind !== 'definition' || resolved.definition.kind !== 'block') return;
    // A call of a published block with its defaults does not run it: the call reads its published object.
    const isPublished = findEntry(resolved.definition.declaration.meta, 'publication') !== null;
    if (isPublished && hasDefaults(expression, resolved.definition) !== false) return;
    const callsOfBlock = calls.get(definition.declaration) ?? [];
    calls.set(definition.declaration, callsOfBlock);
    callsOfBlock.push({ from: definition, to: resolved.definition, expression });
  });
  return calls;
}

interface Frame {
  readonly block: BlockDefinition['declaration'];
  readonly calls: readonly Call[];
  /** The number of followed calls; the last of them leads to the next frame. */
  followed: number;
}

/** Finds a cycle of calls, without recursion; skips the blocks in `done`, which have no cycle. */
function findCycle(
  calls: Calls,
  start: BlockDefinition['declaration'],
  done: Set<BlockDefinition['declaration']>,
): readonly Call[] | null {
  const enter = (block: BlockDefinition['declaration']): Frame => {
    return { block, calls: calls.get(block) ?? [], followed: 0 };
  };
  const frames: Frame[] = done.has(start) ? [] : [enter(start)];
  const open = new Map(frames.map(({ block }, at) => [block, at]));
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const call = frame.calls[frame.followed];
    frame.followed += 1;
    const target = call?.to.declaration;
    const first = target === undefined ? undefined : open.get(target);
    if (first !== undefined) {
      for (const { block } of frames) done.add(block);
      return frames.slice(first).map((caller) => elementAt(caller.calls, caller.followed - 1));
    }
    if (target === undefined) {
      done.add(frame.block);
      open.delete(present(frames.pop()).block);
    } else if (!done.has(target)) {
      open.set(target, frames.push(enter(target)) - 1);
    }
  }
  return null;
}
