import { queryOptions } from '@tanstack/react-query';
import type { SettingListResponse } from '../../../src/server/manage/settings.ts';
import { readText } from '../address.ts';
import { request } from '../request.ts';

/** A setting of the server, with the source of its value. */
export type ListedSetting = SettingListResponse['data'][number];

/** What the list of settings shows, in the address. */
export interface SettingsSearch {
  readonly q?: string | undefined;
  /** The key of the setting that the panel shows. */
  readonly setting?: string | undefined;
}

/** Reads the search parameters of an address; ignores invalid ones. */
export function readSettingsSearch(search: Record<string, unknown>): SettingsSearch {
  return { q: readText(search.q), setting: readText(search.setting) };
}

/** All settings; for administrators. */
export const settingsQuery = queryOptions({
  queryKey: ['manage/settings'],
  queryFn: ({ signal }) => request<SettingListResponse>('manage/settings', { signal }),
  select: ({ data }) => data,
});

/** The value of a setting in words: the default if it is not set. */
export function printSettingValue({ value, is_set, default: fallback }: ListedSetting): string {
  if (value === null) return is_set ? 'Set' : 'Not set';
  const text = Array.isArray(value) ? value.join(', ') : String(value);
  return text === '' ? fallback : text;
}
