import type { DescribedGraph } from '../../engine/script/graph/describe.ts';
import { withSelected } from '../actions/with-scripts.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printLineageJson, printLineageText, printMermaid } from '../lineage/print-lineage.ts';
import { readScriptSettings } from '../options/run-options.ts';
import { printWarnings } from '../print/print-warnings.ts';
import type { RunCommand } from '../table/commands.ts';
import { writeTextFile } from '../terminal/output-file.ts';

type Print = (graph: DescribedGraph) => string | Promise<string>;

const FORMATS: Readonly<Record<string, Print>> = {
  text: printLineageText,
  json: printLineageJson,
  mermaid: printMermaid,
  html: async (graph) => (await import('../lineage/print-page.ts')).printLineagePage(graph),
};

/** `quern lineage`: shows which blocks and tests read which, without running them. */
export const run: RunCommand<'lineage'> = async (context, { args, options }) => {
  const { format = 'text', output, exclude } = options;
  const print = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (print === undefined) {
    throw new UsageError(`unknown format \`${format}\`; use ${Object.keys(FORMATS).join(', ')}`);
  }
  const settings = await readScriptSettings(context, options);
  const { warnings, ...graph } = await withSelected(context, args, options, (scripts) =>
    scripts.describe({ include: args, exclude }, settings),
  );
  await printWarnings(context, warnings);
  const text = await print(graph);
  if (output === undefined) await context.stdout.write(text);
  else await writeTextFile(output, context.cwd, text);
  return EXIT.done;
};
