/**
 * The path and query of a request's target: clients may name the whole address, as proxies have them do (RFC 9112,
 * 3.2.2). Whose address it is does not matter.
 */
export function toOriginForm(target: string): string {
  const rest = /^https?:\/\/[^/?#]*(.*)$/is.exec(target)?.[1];
  if (rest === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}
