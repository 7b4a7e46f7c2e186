import { expect, it } from 'vitest';
import { createSettings, readValues } from '../../src/settings/read-settings.ts';
import { SETTINGS } from '../../src/settings/table.ts';

const read = (config: Readonly<Record<string, string | number>>) =>
  readValues(createSettings({ home: '/home' }, () => new Map(Object.entries(config))));

it('reads each setting with its type, from the first source that has it', () => {
  const values = read({ 'server.port': 8081, 'server.base_url': 'https://quern.example/' });
  expect(values).toMatchObject({ port: 8081, baseUrl: 'https://quern.example', limitLoopback: false });
  expect(Object.keys(values)).toEqual(Object.keys(SETTINGS));
});

it('refuses an invalid value of any setting, so that a server does not start with it', () => {
  expect(() => read({ 'catalog.history': 1_001 })).toThrow('history');
  expect(() => read({ 'server.query_log': 'all' })).toThrow('query_log');
});
