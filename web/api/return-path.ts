/**
 * The path to open after sign-in: a path of this site, with its query. It is `/` for addresses of other sites, such as
 * `//evil`, `/\evil` or `https://evil`, and for the sign-in page itself.
 */
export function toReturnPath(text: unknown, origin: string): string {
  if (typeof text !== 'string' || !text.startsWith('/') || !URL.canParse(text, origin)) return '/';
  const url = new URL(text, origin);
  const path = `${url.pathname}${url.search}${url.hash}`;
  const isElsewhere = url.origin !== origin || /^\/[/\\]/.test(text) || path.startsWith('//');
  return isElsewhere || url.pathname === '/login' ? '/' : path;
}
