import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { BundleRunBody } from '../../../src/server/exec/bundle-body.ts';
import type { FindingsResponse } from '../../../src/server/exec/bundle-schemas.ts';
import { request } from '../request.ts';
import { getCsrfToken } from '../session.ts';

/** A parameter of a script, as the server derives it from the text (docs/reference/exec-bundle.md#parameters). */
export type DerivedParameter = NonNullable<FindingsResponse['parameters']>[number];

/** A text in place of the script `path` in the folder `base`. */
export interface PlacedText {
  readonly base: string;
  readonly path: string;
  readonly content: string;
}

/** Checks a text as if it were saved; with a connection, its SQL too. */
export async function checkScript(
  client: QueryClient,
  { base, path, content }: PlacedText,
  connection: string | null,
  signal?: AbortSignal,
): Promise<Required<Pick<FindingsResponse, 'data' | 'parameters'>>> {
  const { data, parameters = [] } = await request<FindingsResponse>('exec/bundle', {
    method: 'POST',
    body: {
      what: 'check',
      base,
      path,
      files: [{ path, content }],
      ...(connection === null ? {} : { connection: { name: connection } }),
    } satisfies BundleRunBody,
    csrfToken: getCsrfToken(client),
    ...(signal === undefined ? {} : { signal }),
  });
  return { data, parameters };
}

/** The parameters of a text that does not change. */
export function textParametersQuery(client: QueryClient, text: PlacedText) {
  return queryOptions({
    queryKey: ['text-parameters', text],
    queryFn: async ({ signal }) => (await checkScript(client, text, null, signal)).parameters,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}
