import { readFile } from 'node:fs/promises';
import path from 'node:path';
import wabt from 'wabt';

/** The content of `NAME-code.ts` for `NAME.wat`, a file in the text format of WebAssembly. */
export async function compileWat(file: string): Promise<string> {
  const { parseWat } = await wabt();
  const parsed = parseWat(file, await readFile(file, 'utf8'), { bulk_memory: true });
  parsed.validate();
  const code = Buffer.from(parsed.toBinary({}).buffer).toString('base64');
  const name = `${path.basename(file, '.wat').toUpperCase().replaceAll('-', '_')}_CODE`;
  return `/** The compiled \`${path.basename(file)}\`, in base64. */\nexport const ${name} =\n  '${code}';\n`;
}
