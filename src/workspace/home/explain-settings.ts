import { findKeyPlaces } from '../../engine/project/key-places.ts';
import type { SettingOrigin, Settings } from '../../settings/read-settings.ts';
import { flagOf, nameOf, type Raw, type Setting, SettingError, tableOf } from '../../settings/setting.ts';
import { SETTINGS } from '../../settings/table.ts';
import { suggest } from '../../text/suggest.ts';
import { configFile, readConfigFile } from './home-config.ts';
import type { SettingBody } from './setting-body.ts';

/** All settings, in the order of the documentation. */
export function listSettings(): readonly Setting[] {
  return Object.values<Setting>(SETTINGS);
}

/** The setting of this key. For an unknown key, throws a SettingError with a suggestion. */
export function findSetting(key: string): Setting {
  const settings = listSettings();
  const setting = settings.find((candidate) => candidate.key === key);
  if (setting !== undefined) return setting;
  const near = findNear(settings, key);
  const hint = near === undefined ? 'run `quern config explain` for a list' : `did you mean \`${near.key}\`?`;
  throw new SettingError(`there is no setting \`${key}\`: ${hint}`);
}

/** The most similar setting, by its key or by its name alone. */
function findNear(settings: readonly Setting[], key: string): Setting | undefined {
  const names = settings.flatMap((setting) => [setting.key, nameOf(setting)]);
  const near = names.includes(key) ? key : suggest(key, names);
  return settings.find((setting) => setting.key === near || nameOf(setting) === near);
}

/** A setting of a home with the source of its value and its allowed values. Throws a HomeError `unreadable`. */
export function explainSetting(home: string, settings: Settings, setting: Setting): SettingBody {
  const { key, range, shownDefault, variable = null, flag, text, isReadOften } = setting;
  const body = { key, values: range, default: shownDefault, variable, text, needs_restart: !isReadOften };
  return {
    ...body,
    option: flag === undefined ? null : flagOf({ flag }),
    ...findValue(home, settings, setting),
  };
}

type Found = Pick<SettingBody, 'value' | 'is_set' | 'origin' | 'source' | 'error'>;

function findValue(home: string, settings: Settings, setting: Setting): Found {
  const origin = settings.findOrigin(setting);
  const source = printSource(home, setting, origin);
  const facts = { is_set: origin !== 'default', origin, source, error: null };
  if (setting.isSecret) return { ...facts, value: null };
  if (setting.key === SETTINGS.home.key) return { ...facts, value: home };
  try {
    return { ...facts, value: showValue(settings, setting) };
  } catch (error) {
    if (error instanceof SettingError) return { ...facts, value: null, error: error.message };
    throw error;
  }
}

/** The effective value if it is a string, such as the absolute path of a file; else the value as it was given. */
function showValue(settings: Settings, setting: Setting): Raw | null {
  const value = settings.get(setting);
  return typeof value === 'string' ? value : (settings.findRaw(setting) ?? setting.fallback ?? null);
}

function printSource(home: string, setting: Setting, origin: SettingOrigin): string | null {
  if (origin === 'flag') return flagOf(setting);
  if (origin === 'variable') return setting.variable ?? null;
  return origin === 'config' ? `${configFile(home)}:${findLine(home, setting)}` : null;
}

function findLine(home: string, setting: Setting): number {
  const text = readConfigFile(home) ?? '';
  const { start } = findKeyPlaces(text).find([tableOf(setting) ?? '', nameOf(setting)]);
  return text.slice(0, start).split('\n').length;
}
