import type { MetadataDifference } from './difference-body.ts';
import type { IdentityProvider } from './identity-provider.ts';

/**
 * Lists the effects of changed metadata; empty without effects. The order of certificates and the end of validity
 * have no effect, so they are not differences.
 */
export function listDifferences(
  before: IdentityProvider,
  after: IdentityProvider,
): readonly MetadataDifference[] {
  const [values, others] = [listValues(before), listValues(after)];
  const changed = values.flatMap(([field, value], index): MetadataDifference[] => {
    const other = others[index]?.[1] ?? null;
    return value === other ? [] : [{ field, before: value, after: other }];
  });
  const [gone, added] = [listPrints(before, after), listPrints(after, before)];
  return [
    ...changed,
    ...gone.map((print) => ({ field: 'certificate' as const, before: print, after: null })),
    ...added.map((print) => ({ field: 'certificate' as const, before: null, after: print })),
  ];
}

function listValues(
  provider: IdentityProvider,
): readonly (readonly [MetadataDifference['field'], string | null])[] {
  const { entityId, signOn, logout, wantsSignedRequests } = provider;
  return [
    ['entity_id', entityId],
    ['sign_on_redirect_url', signOn.redirect],
    ['sign_on_post_url', signOn.post],
    ['logout_redirect_url', logout.redirect],
    ['logout_post_url', logout.post],
    ['wants_signed_requests', String(wantsSignedRequests)],
  ];
}

/** The fingerprints of the certificates that `other` does not contain. */
function listPrints({ certificates }: IdentityProvider, other: IdentityProvider): readonly string[] {
  const known = new Set(other.certificates.map(({ fingerprint }) => fingerprint));
  return certificates.map(({ fingerprint }) => fingerprint).filter((print) => !known.has(print));
}
