const MAX_LENGTH = 2_000;
const HOME = '/';

/** A path of this site to go to after a sign-in; the home page for anything that could lead elsewhere (identity 4). */
export function toReturnPath(given: unknown, baseUrl: string): string {
  if (typeof given !== 'string' || given.length > MAX_LENGTH || !/^\/[^/\\]?/.test(given)) return HOME;
  if (!URL.canParse(given, baseUrl)) return HOME;
  const url = new URL(given, baseUrl);
  const path = url.pathname + url.search + url.hash;
  const isOurs =
    path.length <= MAX_LENGTH && url.origin === new URL(baseUrl).origin && !/^\/[/\\]/.test(path);
  return isOurs ? path : HOME;
}
