import { elementAt } from '../../invariants/must.ts';
import { withModel } from '../actions/with-model.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern semantic metadata`: prints the metadata of a model (docs/reference/semantic-http.md#metadata-of-a-model). */
export const run: RunCommand<'semantic metadata'> = async (context, { args, options }) => {
  const bytes = await withModel(context, elementAt(args, 0), options, (semantic, principal, target) =>
    semantic.metadata(principal, target),
  );
  const body: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
  await context.stdout.write(`${JSON.stringify(body, null, 2)}\n`);
  return EXIT.done;
};
