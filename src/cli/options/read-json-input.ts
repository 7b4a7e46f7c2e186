import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { sourceName } from './open-input.ts';
import { readText } from './read-text.ts';

/** Reads JSON from a file or a pipe, or from standard input for `-`. Throws a UsageError. */
export async function readJsonInput(context: CliContext, name: string): Promise<unknown> {
  const text = await readText(context, name);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(
      `${sourceName(name)} is not JSON: ${error instanceof Error ? error.message : error}`,
    );
  }
}
