import type { DescribedNode } from '../../engine/script/graph/describe.ts';
import { withSelected } from '../actions/with-scripts.ts';
import { EXIT } from '../context/exit-codes.ts';
import { readScriptSettings } from '../options/run-options.ts';
import { printWarnings } from '../print/print-warnings.ts';
import type { RunCommand } from '../table/commands.ts';
import { printAligned } from '../terminal/print-aligned.ts';

/** `quern ls`: lists blocks and tests, without running them. */
export const run: RunCommand<'ls'> = async (context, { args, options }) => {
  const settings = await readScriptSettings(context, options);
  const selectors = { include: args, exclude: options.exclude };
  const { nodes, warnings } = await withSelected(context, args, options, (scripts) =>
    scripts.describe(selectors, settings),
  );
  await printWarnings(context, warnings);
  if (options.json) {
    const listed = nodes.map(({ text: _, ...node }) => node);
    await context.stdout.write(`${JSON.stringify(listed, null, 2)}\n`);
  } else {
    await context.stdout.write(
      printAligned([['name', 'kind', 'target', 'tags', 'doc'], ...nodes.map(toRow)]),
    );
  }
  return EXIT.done;
};

function toRow({ id, kind, target, tags, doc }: DescribedNode): readonly string[] {
  return [id, kind, target ?? '', tags.join(', '), doc === null ? '' : findSentence(doc)];
}

/** The first sentence of a text, in one line. */
function findSentence(doc: string): string {
  const text = doc.replaceAll(/\s+/g, ' ');
  return /^.*?[.!?](?= |$)/.exec(text)?.[0] ?? text;
}
