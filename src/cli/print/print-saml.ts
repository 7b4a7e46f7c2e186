import type { SamlBody } from '../../identity/saml/settings/saml-body.ts';
import type { SamlTestBody } from '../../workspace/services/saml-admin-body.ts';
import { printAligned } from '../terminal/print-aligned.ts';

/** The settings of SAML, for people. */
export function printSaml(saml: SamlBody, now: Date): string {
  const { identity_provider: provider, certificate_validity: validity } = saml;
  const settings = printAligned([
    ['name', saml.name],
    ['entity ID', saml.entity_id],
    ['callback URL', saml.callback_url],
    ['logout URL', saml.logout_url],
    ...listAttributes(saml).map(([label, name]) => [`${label} attribute`, name]),
    ['JIT', toSwitch(saml.jit)],
    ['group sync', toSwitch(saml.group_sync)],
    ['create groups', toSwitch(saml.create_groups)],
    ['SSO only', toSwitch(saml.sso_only)],
    ['sign requests', printSigning(saml)],
    ['skew', `${saml.skew_seconds} s`],
    ['new certificates', `valid for ${validity.count} ${validity.unit}`],
    ['changed', saml.updated_at],
  ]);
  const elsewhere = printAligned([
    ['identity provider', provider.entity_id],
    ['sign-on URL', provider.sign_on_url],
    ['logout URL', provider.logout_url ?? 'none'],
    ['metadata', `${saml.metadata_url ?? 'uploaded'}, read ${saml.metadata_read_at}`],
    ...listRefresh(saml),
  ]);
  const certificates = printAligned([
    ...provider.certificates.map((certificate) => ['theirs', ...toCells(certificate, now)]),
    ...saml.certificates.map((certificate) => [`ours, ${certificate.state}`, ...toCells(certificate, now)]),
  ]);
  return [settings, elsewhere, certificates, ...printPending(saml)].join('\n');
}

function listRefresh(saml: SamlBody): readonly (readonly string[])[] {
  if (saml.metadata_url === null) return [];
  const { metadata_checked_at: checkedAt, metadata_failure: failure } = saml;
  return [
    ['metadata refresh', saml.metadata_refresh],
    ['last checked', checkedAt ?? 'never'],
    ...(failure === null ? [] : [['last failure', failure]]),
  ];
}

/** The changed metadata that is not applied yet; empty without a change. */
export function printPending({ pending_metadata: pending }: SamlBody): readonly string[] {
  if (pending === null) return [];
  const rows = pending.differences.map(({ field, before, after }) => [
    `  ${field.replaceAll('_', ' ').replace(/\b(id|url)\b/, (word) => word.toUpperCase())}`,
    before ?? 'none',
    '→',
    after ?? 'none',
  ]);
  const title = `changed metadata, read ${pending.read_at}, not applied yet:\n`;
  return [`${title}${printAligned(rows)}`];
}

/** The result of a test sign-in: received attributes and the names that they map to. */
export function printSamlTest({ outcome }: SamlTestBody, saml: SamlBody): string {
  if (outcome === null) return '';
  const { passed, text, subject, attributes } = outcome;
  const mapped = listAttributes(saml);
  const names = new Set(mapped.map(([, name]) => name));
  const rows = [
    ...(subject === null ? [] : [['NameID', '', subject]]),
    ...mapped.map(([label, name]) => [label, name, attributes[name]?.join(', ') ?? 'not received']),
    ...Object.entries(attributes)
      .filter(([name]) => !names.has(name))
      .map(([name, values]) => ['not mapped', name, values.join(', ')]),
  ];
  return `${passed ? 'passed' : 'refused'}: ${text}\n\n${printAligned(rows)}`;
}

function listAttributes({ attributes }: SamlBody): readonly (readonly [string, string])[] {
  return [
    ['user name', attributes.user_name],
    ['first name', attributes.first_name],
    ['last name', attributes.last_name],
    ['groups', attributes.groups],
  ];
}

function printSigning({ sign_requests, identity_provider }: SamlBody): string {
  if (sign_requests || !identity_provider.wants_signed_requests) return toSwitch(sign_requests);
  return 'on, since the identity provider asks for it';
}

function toSwitch(flag: boolean): string {
  return flag ? 'on' : 'off';
}

type Certificate = SamlBody['identity_provider']['certificates'][number];

/**
 * Marks expired certificates: some identity providers sign with an expired key, and others check the date of the
 * service provider's certificate.
 */
function toCells({ fingerprint, not_before, not_after }: Certificate, now: Date): readonly string[] {
  const state = Date.parse(not_after) <= now.getTime() ? ['expired'] : [];
  return [`${not_before} to ${not_after}`, `SHA-256 ${fingerprint}`, ...state];
}
