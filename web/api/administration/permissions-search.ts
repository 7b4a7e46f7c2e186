import { readKey, readText } from '../address.ts';

/** What the side panel can show. */
const PANELS = { explain: 'Can someone see it?', everyone: 'What everyone can see' };

/** What the page of permissions shows, in the address. */
export interface PermissionsSearch {
  /** The columns: `user:NAME`, `group:NAME` or `everyone`; everyone without it. */
  readonly subject?: readonly string[] | undefined;
  /** The folder whose content is shown, or `connections`; without it, the namespaces and the connections. */
  readonly under?: string | undefined;
  /** The opened rows. */
  readonly open?: readonly string[] | undefined;
  readonly show?: keyof typeof PANELS | undefined;
  /** The user and the target of an explanation. */
  readonly user?: string | undefined;
  readonly target?: string | undefined;
}

/** Reads the search parameters of an address; ignores invalid ones. */
export function readPermissionsSearch(search: Record<string, unknown>): PermissionsSearch {
  return {
    subject: readTexts(search.subject),
    under: readText(search.under),
    open: readTexts(search.open),
    show: readKey(PANELS, search.show),
    user: readText(search.user),
    target: readText(search.target),
  };
}

/** A list of texts, each once; absent if it is not a list. */
function readTexts(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return [...new Set(value.flatMap((text) => readText(text) ?? []))];
}
