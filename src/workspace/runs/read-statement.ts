import { hash } from 'node:crypto';
import type { Snapshot } from '../../engine/project/snapshot.ts';
import type { Work } from '../../execution/contract/request.ts';
import type { Statement } from '../../query-log/query.ts';

/** Characters of a text that are kept. */
const MAX_TEXT_LENGTH = 16_384;

/**
 * What is run, for the query log, before parameters are put in. Of what takes a whole package, a block or tests, there is
 * the hash of its scripts alone.
 */
export function readStatement(work: Work, keepsText: boolean): Statement {
  const text = findText(work);
  if (text === null) return { hash: hash('sha256', printPackage(work)), text: null };
  return {
    hash: hash('sha256', text),
    text: keepsText ? text.slice(0, MAX_TEXT_LENGTH).toWellFormed() : null,
  };
}

function findText(work: Work): string | null {
  if (work.kind === 'sql') return work.source.text;
  if (work.kind !== 'script') return null;
  return listFiles(work.snapshot).find(({ name }) => name === work.file)?.text ?? null;
}

function printPackage(work: Work): string {
  return work.kind === 'sql' ? '' : JSON.stringify(listFiles(work.snapshot));
}

function listFiles({ root, packages }: Snapshot) {
  return packages.find(({ id }) => id === root)?.files ?? [];
}
