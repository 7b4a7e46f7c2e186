import { queryOptions } from '@tanstack/react-query';
import { type KeptTab, openDrafts } from './drafts.ts';
import { claimInstance } from './instance.ts';

/** The texts that are open in the editor of this tab of the browser, in the order of their tabs. */
export function openTextsQuery(user: string) {
  return queryOptions({
    queryKey: ['open-texts', user],
    queryFn: async (): Promise<readonly KeptTab[]> => {
      const known = await claimInstance();
      const { lists } = await (await openDrafts()).read(user);
      const own = lists.find(({ instance }) => instance === known);
      return own?.tabs ?? [];
    },
    retry: false,
    gcTime: 0,
  });
}
