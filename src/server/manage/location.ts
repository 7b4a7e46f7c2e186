type Kind = 'users' | 'groups' | 'tokens' | 'connections' | 'invitations' | 'backups';

/** The URL path of a resource below `/manage`, by its name or id. */
export function printLocation(kind: Kind, name: string): string {
  return `/api/v1/manage/${kind}/${encodeURIComponent(name)}`;
}
