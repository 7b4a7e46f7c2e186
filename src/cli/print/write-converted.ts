import { statSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../../errors/make-folder.ts';
import type { Loss } from '../../semantic/import/draft/losses.ts';
import type { CliContext } from '../context/context.ts';
import { EXIT, type ExitCode } from '../context/exit-codes.ts';
import { printQuantity } from '../context/print-quantity.ts';
import type { OptionsOf } from '../table/commands.ts';
import { coloursOf } from '../terminal/colours.ts';
import { writeTextFile } from '../terminal/output-file.ts';

/** A converted model, as one text and as files. */
interface Converted {
  readonly text: string;
  readonly layers: readonly { readonly name: string; readonly text: string }[];
  readonly losses: readonly Loss[];
}

/**
 * Writes a converted model to `--out`, and each import warning to standard error. With `--strict`, any warning prevents
 * the output.
 */
export async function writeConverted(
  context: CliContext,
  { text, layers, losses }: Converted,
  { out, strict, json }: Pick<OptionsOf<'semantic export'>, 'out' | 'strict' | 'json'>,
): Promise<ExitCode> {
  const isRefused = strict && losses.length > 0;
  const files = out !== undefined && !isRefused ? chooseFiles(context, out, { text, layers }) : [];
  for (const [file, content] of files) await writeTextFile(file, context.cwd, content);
  if (!json) await printLosses(context, losses);
  await printSum(context, losses, isRefused ? null : files.length);
  const shown = isRefused || out !== undefined ? undefined : text;
  if (json) await context.stdout.write(`${JSON.stringify({ losses, text: shown }, null, 2)}\n`);
  else if (shown !== undefined) await context.stdout.write(shown);
  return isRefused ? EXIT.failed : EXIT.done;
}

/** The files by their paths: one file, or one per layer in a folder. */
function chooseFiles(
  { cwd }: CliContext,
  out: string,
  { text, layers }: Omit<Converted, 'losses'>,
): readonly (readonly [string, string])[] {
  const target = path.resolve(cwd, out);
  const isFolder = /[/\\]$/.test(out) || statSync(target, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) return [[out, text]];
  makeFolder(target);
  const taken = new Set<string>();
  return layers.map((layer) => {
    const name = layer.name.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-');
    let free = name;
    for (let at = 2; taken.has(free.toLowerCase()); at += 1) free = `${name}-${at}`;
    taken.add(free.toLowerCase());
    return [path.join(out, `${free}.yaml`), layer.text] as const;
  });
}

async function printLosses(context: CliContext, losses: readonly Loss[]): Promise<void> {
  const { yellow, bold } = coloursOf(context);
  for (const { kind, message, file, line, column } of losses) {
    const position = file === null ? '' : `${bold(`${file}:${line}:${column}`)}: `;
    await context.stderr.write(`${position}${yellow(kind)}: ${message}\n`);
  }
}

/** `files` is null without an output. */
async function printSum(
  { notices }: CliContext,
  losses: readonly Loss[],
  files: number | null,
): Promise<void> {
  const dropped = losses.filter(({ kind }) => kind === 'dropped').length;
  const written =
    files === null ? 'nothing written; ' : files === 0 ? '' : `${printQuantity(files, 'file')} written; `;
  await notices.write(`${written}${dropped} dropped, ${losses.length - dropped} approximated\n`);
}
