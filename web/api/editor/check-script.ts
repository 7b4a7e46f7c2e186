import type { QueryClient } from '@tanstack/react-query';
import { request } from '../request.ts';
import type { RunMessage } from '../runs/run.ts';
import { getCsrfToken } from '../session.ts';

/** A parameter of a script, as the server derives it from the text (docs/reference/exec-bundle.md#parameters). */
export interface ScriptParameter {
  readonly name: string;
  /** Null if the text suggests no type. */
  readonly type: 'string' | 'number' | 'boolean' | null;
  /** A value that a comment suggests; null without one. */
  readonly default: string | number | boolean | null;
  /** Whether a run without it fails. */
  readonly is_required: boolean;
  readonly doc: string | null;
}

/** A text in place of the script `path` in the folder `base`. */
export interface PlacedText {
  readonly base: string;
  readonly path: string;
  readonly content: string;
}

interface Checked {
  readonly data: readonly RunMessage[];
  readonly parameters: readonly ScriptParameter[];
}

/** Checks a text as if it were saved. */
export function checkScript(
  client: QueryClient,
  { base, path, content }: PlacedText,
  signal?: AbortSignal,
): Promise<Checked> {
  return request('exec/bundle', {
    method: 'POST',
    body: { what: 'check', base, path, files: [{ path, content }] },
    csrfToken: getCsrfToken(client),
    ...(signal === undefined ? {} : { signal }),
  });
}
