import {
  type BlockDefinition,
  createScriptError,
  describeCycle,
  describeDefinition,
} from '../program/program.ts';
import { hasStatement } from '../syntax/has-statement.ts';
import type { BlockCall, CallSite } from '../values/request.ts';

/** Maximum nesting of calls: each level uses space on the stack. */
const MAX_DEPTH = 1024;

/**
 * Throws a DiagnosticError if a called block is already among the running calls, which are ordered from the outermost
 * to the innermost, or if the call is nested too deeply.
 */
export function checkCycle(open: readonly BlockCall[], call: BlockCall): void {
  const { block, site } = call;
  const first = open.findIndex((other) => other.block.declaration === block.declaration);
  if (first === -1) {
    if (open.length < MAX_DEPTH) return;
    const message = `this call of ${describeDefinition(block)} is nested in ${MAX_DEPTH} other calls: publish a block in between, or merge some blocks`;
    throw createScriptError(site.file.file, site, message);
  }
  const sites = [...open.slice(first + 1), call].map((openCall) => openCall.site);
  const names = open.slice(first).map((openCall) => openCall.block.name);
  throw createScriptError(site.file.file, site, describeCycle(names, sites));
}

/**
 * Rejects a block with an empty body (docs/reference/language.md#bodies); `site` is the position of the call. Throws a
 * DiagnosticError.
 */
export function checkNotEmpty(block: BlockDefinition, site: CallSite): void {
  if (hasStatement(block.declaration.body, block.file.file.rendered.text)) return;
  throw createScriptError(
    site.file.file,
    site,
    `${describeDefinition(block)} is empty: it has nothing to run`,
  );
}

/** The error for a call that needs rows of a block whose rendered SQL is empty. */
export function createEmptyBlockError({ block, site }: BlockCall) {
  const message = `${describeDefinition(block)} has no statement with these arguments, so it has no rows`;
  return createScriptError(site.file.file, site, message);
}

/** The error for a block whose rows are needed, but whose last statement is not a query. */
export function createNoRowsError({ block, site }: BlockCall) {
  const advice = 'declare a block that only has effects as `: void`';
  const message = `${describeDefinition(block)} has no rows: it does not end with a query; ${advice}`;
  return createScriptError(site.file.file, site, message);
}
