import { elementAt, present } from '../../../../invariants/must.ts';
import { listCalls } from '../../graph/list-calls.ts';
import { type BlockDefinition, describeCycle, listBlocks, type Program } from '../../program/program.ts';
import type { CallExpression } from '../../syntax/ast.ts';
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
  const owners = [...program.packages.values()];
  const blocks = owners.flatMap((owner) => owner.files.flatMap((file) => listBlocks(owner, file)));
  return new Map(blocks.map((block) => [block.declaration, findCallsOf(program, block)]));
}

function findCallsOf(program: Program, from: BlockDefinition): readonly Call[] {
  return listCalls(program, from).flatMap(({ definition: to, call: expression, isRead }) =>
    // A call of a published block with its defaults does not run it: the call reads its published object.
    to.kind === 'block' && expression !== null && isRead === false ? [{ from, to, expression }] : [],
  );
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
