/** The URL path of a resource below `/manage`, by its name or id. */
export function printLocation(kind: 'users' | 'groups' | 'tokens' | 'connections', name: string): string {
  return `/api/v1/manage/${kind}/${encodeURIComponent(name)}`;
}
