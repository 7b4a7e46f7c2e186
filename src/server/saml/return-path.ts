const MAX_LENGTH = 2_000;
const HOME = '/';

/**
 * The path of this site to open after sign-in; `/` for any value that could lead to another site
 * (docs/reference/saml-sign-in.md#request).
 */
export function toReturnPath(given: unknown, baseUrl: string): string {
  if (typeof given !== 'string' || given.length > MAX_LENGTH || !/^\/[^/\\]?/.test(given)) return HOME;
  if (!URL.canParse(given, baseUrl)) return HOME;
  const url = new URL(given, baseUrl);
  const path = url.pathname + url.search + url.hash;
  const isOurs =
    path.length <= MAX_LENGTH && url.origin === new URL(baseUrl).origin && !/^\/[/\\]/.test(path);
  return isOurs ? path : HOME;
}
