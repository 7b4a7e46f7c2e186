import { type BlockDefinition, createFault, describeCycle, describeDefinition } from '../program/program.ts';
import { hasStatement } from '../syntax/has-statement.ts';
import type { BlockCall, Site } from '../values/request.ts';

/** How deeply calls may stand in one another: each level takes room of the machine's stack. */
const MAX_DEPTH = 1024;

/**
 * Throws a DiagnosticError for a call of a block that is among the calls being run, the outermost first, and for one
 * that is nested too deeply in them.
 */
export function checkNesting(open: readonly BlockCall[], call: BlockCall): void {
  const { block, site } = call;
  const first = open.findIndex((other) => other.block.declaration === block.declaration);
  if (first === -1) {
    if (open.length < MAX_DEPTH) return;
    const message = `this call of ${describeDefinition(block)} is nested in ${MAX_DEPTH} others: publish a block in between, or join some`;
    throw createFault(site.file.file, site, message);
  }
  const sites = [...open.slice(first + 1), call].map((own) => own.site);
  const names = open.slice(first).map((own) => own.block.name);
  throw createFault(site.file.file, site, describeCycle(names, sites));
}

/** Refuses to run a block whose body is empty (language 2); `site` is where it is called. Throws a DiagnosticError. */
export function checkNotEmpty(block: BlockDefinition, site: Site): void {
  if (hasStatement(block.declaration.body, block.file.file.rendered.text)) return;
  throw createFault(site.file.file, site, `${describeDefinition(block)} is empty: it has nothing to run`);
}

/** A call that wants rows of a block that has rendered to nothing. */
export function createEmptyFault({ block, site }: BlockCall) {
  const message = `${describeDefinition(block)} has no statement with these arguments, and so no rows`;
  return createFault(site.file.file, site, message);
}

/** A block whose rows are wanted, and whose last statement is no query. */
export function createRowlessFault({ block, site }: BlockCall) {
  const advice = 'a block that is run for its effect is declared `: void`';
  const message = `${describeDefinition(block)} has no rows: it ends with no query; ${advice}`;
  return createFault(site.file.file, site, message);
}
