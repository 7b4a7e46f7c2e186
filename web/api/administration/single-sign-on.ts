import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { SsoFailureListResponse } from '../../../src/server/manage/provider-log.ts';
import type {
  MetadataComparisonResponse,
  SamlChangeBody,
  SamlResponse,
  SamlTestResponse,
} from '../../../src/server/manage/saml.ts';
import { readText } from '../address.ts';
import { ApiError, request } from '../request.ts';
import { getCsrfToken } from '../session.ts';

/** The SAML settings. */
export type StoredSaml = SamlResponse;
export type SamlSettingsChange = SamlChangeBody;
export type SamlSignInTest = SamlTestResponse;
/** A value that other metadata would change. */
export type ProviderDifference = MetadataComparisonResponse['differences'][number];
/** A failed sign-in. */
export type FailedSignIn = SsoFailureListResponse['data'][number];

const PATH = 'manage/sso/saml';
const CERTIFICATE_PATH = '/saml2/certificate';
/** How often a test that waits is read again, in milliseconds. */
const EVERY_MS = 1_500;

/** What the page of single sign-on shows, in the address. */
export interface SingleSignOnSearch {
  /** The id of a test sign-in. */
  readonly test?: string | undefined;
  /** The reference of a failed sign-in. */
  readonly reference?: string | undefined;
}

/** Reads the search parameters of an address; ignores invalid ones. */
export function readSingleSignOnSearch(search: Record<string, unknown>): SingleSignOnSearch {
  return { test: readText(search.test), reference: readText(search.reference) };
}

/** The SAML settings; null before the first ones. Fails with 409 without an https base URL. */
export const samlQuery = queryOptions({
  queryKey: [PATH],
  queryFn: async ({ signal }): Promise<StoredSaml | null> => {
    try {
      return await request<SamlResponse>(PATH, { signal });
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  },
});

/** A test sign-in, read again until it has ended. */
export function samlTestQuery(id: string) {
  return queryOptions({
    queryKey: [PATH, 'test', id],
    queryFn: ({ signal }) => request<SamlTestResponse>(`${PATH}/tests/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: (query) => (query.state.data?.status === 'waiting' ? EVERY_MS : false),
    // The person signs in on another tab.
    refetchIntervalInBackground: true,
  });
}

/** The failed sign-ins with a reference, or the last ones. */
export function failedSignInsQuery(reference: string | undefined) {
  return queryOptions({
    queryKey: ['manage/sso/failures', reference ?? ''],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ limit: '20', ...(reference === undefined ? {} : { reference }) });
      return request<SsoFailureListResponse>(`manage/sso/failures?${query}`, { signal });
    },
    select: ({ data }) => data,
  });
}

async function send(client: QueryClient, method: 'POST' | 'PUT', path: string, body?: unknown) {
  const csrfToken = getCsrfToken(client);
  const settings = await request<SamlResponse>(path, {
    method,
    csrfToken,
    ...(body === undefined ? {} : { body }),
  });
  client.setQueryData(samlQuery.queryKey, settings);
  return settings;
}

/** Changes the settings that the body has. */
export function changeSaml(client: QueryClient, body: SamlSettingsChange): Promise<StoredSaml> {
  return send(client, 'PUT', PATH, body);
}

/** What other metadata would change; nothing is stored. */
export function compareSamlMetadata(
  client: QueryClient,
  body: Pick<SamlSettingsChange, 'metadata' | 'metadata_url'>,
): Promise<MetadataComparisonResponse> {
  const csrfToken = getCsrfToken(client);
  return request(`${PATH}/metadata/compare`, { method: 'POST', body, csrfToken });
}

/** Reads the metadata again from their URL. */
export function refreshSamlMetadata(client: QueryClient): Promise<StoredSaml> {
  return send(client, 'POST', `${PATH}/metadata/refresh`);
}

/** Applies the changed metadata that a person has reviewed. */
export function applySamlMetadata(client: QueryClient, digest: string): Promise<StoredSaml> {
  return send(client, 'POST', `${PATH}/metadata/apply`, { digest });
}

/** Creates a certificate that is published next to the active one. */
export function renewSamlCertificate(client: QueryClient): Promise<StoredSaml> {
  return send(client, 'POST', `${PATH}/certificates`);
}

/** Replaces the active certificate with the pending one. */
export function activateSamlCertificate(client: QueryClient): Promise<StoredSaml> {
  return send(client, 'POST', `${PATH}/certificates/activate`);
}

/** Starts a test sign-in. */
export function startSamlTest(client: QueryClient): Promise<SamlSignInTest> {
  return request<SamlTestResponse>(`${PATH}/tests`, { method: 'POST', csrfToken: getCsrfToken(client) });
}

/** Deletes the settings: no user can sign in by SAML. */
export async function deleteSaml(client: QueryClient): Promise<void> {
  await request(PATH, { method: 'DELETE', csrfToken: getCsrfToken(client) });
  client.setQueryData(samlQuery.queryKey, null);
}

/** The active certificate as the text of a PEM file. Rejects with an ApiError. */
export async function loadSamlCertificate(client: QueryClient): Promise<string> {
  const response = await fetch(CERTIFICATE_PATH, {
    method: 'POST',
    headers: { 'x-csrf-token': getCsrfToken(client) },
  });
  if (!response.ok) throw new ApiError(response.status, `The server returned status ${response.status}`);
  return response.text();
}
