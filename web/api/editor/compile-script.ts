import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { BundleRunBody } from '../../../src/server/exec/bundle-body.ts';
import type { StepsResponse } from '../../../src/server/exec/bundle-schemas.ts';
import { request } from '../request.ts';
import { getCsrfToken } from '../session.ts';
import type { PlacedText } from './check-script.ts';

/** A step of a compiled script. */
export type StepResponse = StepsResponse['data'][number];

/** A text to compile, and what a run of it would take. */
interface Compilation {
  readonly placed: PlacedText;
  readonly params: Readonly<Record<string, unknown>>;
  /** Empty for the connection of the project. */
  readonly connection: string;
}

/** The steps of a text, as a run would send them to the database. */
export function compiledQuery(client: QueryClient, { placed, params, connection }: Compilation) {
  const { base, path, content } = placed;
  return queryOptions({
    queryKey: ['compiled', base, path, content, params, connection],
    queryFn: ({ signal }) =>
      request<StepsResponse>('exec/bundle', {
        method: 'POST',
        body: {
          what: 'compile',
          base,
          path,
          files: [{ path, content }],
          params,
          ...(connection === '' ? {} : { connection: { name: connection } }),
        } satisfies BundleRunBody,
        csrfToken: getCsrfToken(client),
        signal,
      }),
    select: ({ data }) => data,
    retry: false,
    gcTime: 0,
  });
}
