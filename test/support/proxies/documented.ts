import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';

const guides = path.resolve(import.meta.dirname, '../../../docs/guides');

/** The first fenced block of a language on a page of the guides. */
export function readBlock(page: string, language: string): string {
  const pattern = new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'm');
  const [, block] = pattern.exec(readFileSync(path.join(guides, page), 'utf8')) ?? [];
  if (block === undefined) throw new Error(`${page} has no block of the language ${language}`);
  return block;
}

/** The same text with one part replaced; the part must occur exactly once. */
export function replaceOnce(text: string, part: string, by: string): string {
  if (text.split(part).length !== 2) throw new Error(`the configuration has \`${part}\` not exactly once`);
  return text.replace(part, by);
}

/** Whether a program listens on a port of this machine. */
export async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
