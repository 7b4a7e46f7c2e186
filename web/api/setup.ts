import { queryOptions } from '@tanstack/react-query';
import { request } from './request.ts';

/** What is known of the instance before anybody is signed in. */
interface Setup {
  readonly administrator_has_password: boolean;
  /** Where people sign in elsewhere; null where they do not. */
  readonly sso: Sso | null;
}

export interface Sso {
  readonly name: string;
  readonly url: string;
  /** Whether only administrators sign in with a password. */
  readonly only: boolean;
}

/** Asked again each time that the page comes into view: the password is set elsewhere. */
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => request<Setup>('setup', { signal }),
  staleTime: 0,
  refetchOnWindowFocus: 'always',
});
