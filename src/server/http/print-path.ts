/** The path of a request's URL, without its query, which may hold secrets. */
export function printPath(url: string): string {
  return url.split('?', 1)[0]!;
}
