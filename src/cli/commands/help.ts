import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';
import { TOPICS } from '../table/topics.ts';

/** `quern help TOPIC`: explains a concept. The argument parser prints help on commands. */
export const run: RunCommand<'help'> = async ({ stdout }, { args }) => {
  for (const { text, page } of TOPICS.filter(({ name }) => args.includes(name))) {
    await stdout.write(`${text}More: quern docs ${page}\n`);
  }
  return EXIT.done;
};
