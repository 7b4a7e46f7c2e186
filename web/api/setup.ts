import { queryOptions } from '@tanstack/react-query';
import { request } from './request.ts';

/** Public facts about the instance, available before sign-in. */
interface Setup {
  readonly administrator_has_password: boolean;
  /** The link for single sign-on; null if it is not configured. */
  readonly sso: Sso | null;
}

export interface Sso {
  readonly name: string;
  readonly url: string;
  /** Whether only administrators can sign in with a password. */
  readonly only: boolean;
}

/** Reloaded whenever the page becomes visible, because the password is set on the command line. */
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => request<Setup>('setup', { signal }),
  staleTime: 0,
  refetchOnWindowFocus: 'always',
});
