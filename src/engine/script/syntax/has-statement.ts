import { finish, type Interruptible } from '../../text/interruptible.ts';
import type { Body } from './ast.ts';

/** Characters to scan before other work can run. */
const PIECE = 128 * 1024;

/** Whether a body has a statement: more than whitespace, comments and `;`. */
export function hasStatement(body: Body, text: string): boolean {
  return finish(hasStatementInLongText(body, text));
}

/** As `hasStatement`, but interruptible. */
export function* hasStatementInLongText({ parts }: Body, text: string): Interruptible<boolean> {
  for (const part of parts) {
    if (part.kind === 'comment') continue;
    if (part.kind !== 'text') return true;
    for (let at = part.start; at < part.end; at += PIECE) {
      if (at > part.start) yield;
      const piece = text.slice(at, Math.min(at + PIECE, part.end));
      if (/[^\s;\ufeff]/.test(piece.trimStart())) return true;
    }
  }
  return false;
}
