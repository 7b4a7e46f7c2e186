import { createHash } from 'node:crypto';
import type { Snapshot } from '../../engine/project/snapshot.ts';
import type { Work } from '../../execution/contract/request.ts';
import type { Statement } from '../../query-log/query.ts';
import { takeTurn } from '../../turns/take-turn.ts';

/** The maximum of stored characters of a source. */
const MAX_TEXT_LENGTH = 16_384;

/** The number of characters that are hashed before the event loop continues. */
const PIECE = 256 * 1024;

/**
 * The statement for the query log, before parameters are substituted. For packages, blocks and tests it is only the
 * hash of their scripts.
 */
export async function readStatement(work: Work, keepsText: boolean): Promise<Statement> {
  const text = findText(work);
  if (text === null) return { hash: await hashTexts(listTexts(work)), text: null };
  return {
    hash: await hashTexts([text]),
    text: keepsText ? text.slice(0, MAX_TEXT_LENGTH).toWellFormed() : null,
  };
}

function findText(work: Work): string | null {
  if (work.kind === 'sql') return work.source.text;
  if (work.kind !== 'script') return null;
  return listFiles(work.snapshot).find(({ name }) => name === work.file)?.text ?? null;
}

/** Names and contents of files; the length before each content separates them. */
function listTexts(work: Work): readonly string[] {
  if (work.kind === 'sql') return [];
  return listFiles(work.snapshot).flatMap(({ name, text }) => [JSON.stringify([name, text.length]), text]);
}

async function hashTexts(texts: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  let characters = 0;
  for (const text of texts) {
    for (let at = 0; at < text.length; ) {
      const piece = text.slice(at, findPieceEnd(text, at));
      hash.update(piece);
      at += piece.length;
      characters += piece.length;
      if (characters < PIECE) continue;
      await takeTurn();
      characters = 0;
    }
  }
  return hash.digest('hex');
}

/** Does not split a surrogate pair. */
function findPieceEnd(text: string, from: number): number {
  const end = from + PIECE;
  return /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end + 1 : end;
}

function listFiles({ needs: [root], packages }: Snapshot) {
  return packages.find(({ id }) => id === root.id)?.files ?? [];
}
