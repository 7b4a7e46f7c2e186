import type { Static } from 'typebox';
import { SettingListSchema } from '../../workspace/home/setting-body.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { listFailures } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';

export type SettingListResponse = Static<typeof SettingListSchema>;

/** `GET /manage/settings`: the settings of the server (docs/reference/settings.md), which only its machine can change. */
export function addSettings(app: App, instance: Instance): void {
  const schema = {
    tags: ['operations'],
    summary: 'List settings',
    operationId: 'listSettings',
    scope: 'read',
    description:
      'Lists the settings with their values and sources, as they are now in the options, variables and `config.toml` of the server. Secrets have no value. For administrators.',
    response: { 200: SettingListSchema, ...listFailures(403) },
  };
  app.get('/manage/settings', { schema }, () => ({ data: instance.listSettings() }));
}
