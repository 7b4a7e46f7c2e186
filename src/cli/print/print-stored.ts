import type { Versioned } from '../../catalog/asset.ts';
import type { FolderBody } from '../../catalog/item-body.ts';
import type { CliContext } from '../context/context.ts';

/** Prints the stored item and its revision: a line on standard error, or the record as JSON on standard output. */
export async function printStored(
  { stdout, notices }: CliContext,
  { body, revision }: Versioned<FolderBody>,
  asJson: boolean,
): Promise<void> {
  if (asJson) return stdout.write(`${JSON.stringify({ ...body, revision })}\n`);
  await notices.write(`stored ${body.path} (revision ${revision})\n`);
}
