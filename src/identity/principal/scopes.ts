/**
 * The scopes of tokens (docs/reference/tokens.md#scopes). A scope narrows what the owner of a token may do at the moment
 * of a request; it never adds a right. Except for `scim`, each one includes those before it.
 */
export const SCOPES = ['read', 'query', 'write', 'scim', 'all'] as const;

/** A scope of a token. Sessions and the command line have `all`. */
export type TokenScope = (typeof SCOPES)[number];

/**
 * The least scopes of routes; `any` is that of a route that takes every token.
 *
 * @internal
 */
export const LEAST_SCOPES = [...SCOPES, 'any'] as const;

/** The least scope of a route. */
export type LeastScope = (typeof LEAST_SCOPES)[number];

/** The least scope that a route names; undefined for any other text. */
export function toLeastScope(text: string | undefined): LeastScope | undefined {
  return LEAST_SCOPES.find((scope) => scope === text);
}

/** Whether a principal acts without a token, or with one whose scope includes `least`. */
export function hasScope(
  { origin }: { readonly origin?: { readonly scope: TokenScope } },
  least: LeastScope,
): boolean {
  return origin === undefined || includesScope(origin.scope, least);
}

function includesScope(scope: TokenScope, least: LeastScope): boolean {
  if (least === 'any' || scope === 'all' || scope === least) return true;
  if (scope === 'scim' || least === 'scim') return false;
  return SCOPES.indexOf(scope) > SCOPES.indexOf(least);
}
