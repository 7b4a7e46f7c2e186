import { queryOptions } from '@tanstack/react-query';
import type { SetupBody } from '../../src/server/console/get-setup.ts';
import { request } from './request.ts';

export type Sso = NonNullable<SetupBody['sso']>;

/** Reloaded whenever the page becomes visible, because the password is set on the command line. */
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => request<SetupBody>('setup', { signal }),
  staleTime: 0,
  refetchOnWindowFocus: 'always',
});
