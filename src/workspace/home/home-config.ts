import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  getField,
  readToml,
  type TomlField,
  type TomlFields,
  type TomlReading,
} from '../../engine/project/read-toml.ts';
import { HomeError } from '../../errors/home-error.ts';
import { elementAt } from '../../invariants/must.ts';
import { codeOf, toError } from '../../invariants/narrow.ts';
import {
  type ConfigValues,
  createSettings,
  type SettingSources,
  type Settings,
} from '../../settings/read-settings.ts';
import { nameOf, type Raw, type Setting, SettingError, tableOf } from '../../settings/setting.ts';
import { SETTINGS } from '../../settings/table.ts';
import { suggest } from '../../text/suggest.ts';

/** The path of a home's configuration file. */
export function configFile(home: string): string {
  return path.join(home, 'config.toml');
}

/** The settings of a home. `config.toml` is read when the first setting without another source is requested. */
export function readSettings(sources: SettingSources): Settings {
  return createSettings(sources, () => getHomeConfig(sources.home));
}

/**
 * Reads a home's `config.toml`, which may be missing: returns its settings, or all errors in it. Throws HomeError
 * `unreadable`.
 */
export function readHomeConfig(home: string): TomlReading<ConfigValues> {
  return readConfigText(home, readConfigFile(home) ?? '');
}

/** Like `readHomeConfig`, for a text that is not written yet. */
export function readConfigText(home: string, text: string): TomlReading<ConfigValues> {
  return readToml({ name: configFile(home), text }, (fields, root) => {
    checkKeys(fields, root, [...BY_TABLE.keys()], 'table');
    const values = new Map<string, Raw>();
    for (const [name, settings] of BY_TABLE) {
      const table = getField(root, name);
      checkKeys(fields, table, settings.map(nameOf), 'setting');
      for (const setting of settings) {
        const raw = readField(fields, getField(table, nameOf(setting)), setting, home);
        if (raw !== undefined) values.set(setting.key, raw);
      }
    }
    return values;
  });
}

/** Reads a home's `config.toml`; returns undefined for a missing file. Throws HomeError `unreadable`. */
export function readConfigFile(home: string): string | undefined {
  const file = configFile(home);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new HomeError('unreadable', `${file} cannot be read: ${toError(error).message}`, {
      cause: error,
    });
  }
}

/** Throws HomeError `unreadable` with the first error of an invalid file. */
function getHomeConfig(home: string): ConfigValues {
  const { value, errors } = readHomeConfig(home);
  if (errors === undefined) return value;
  const { file, line, column, message } = elementAt(errors, 0);
  throw new HomeError('unreadable', `${file}:${line}:${column}: ${message}`);
}

/** The settings that `config.toml` may have. */
const BY_TABLE: ReadonlyMap<string, readonly Setting[]> = Map.groupBy(
  Object.values<Setting>(SETTINGS).filter((setting) => tableOf(setting) !== null),
  (setting) => tableOf(setting) ?? '',
);

/** Refuses unknown keys, so a typo cannot silently disable a protection. */
function checkKeys(fields: TomlFields, table: TomlField, known: readonly string[], noun: string): void {
  for (const { path: keys } of fields.table(table)) {
    const key = elementAt(keys, -1);
    if (known.includes(key)) continue;
    const near = suggest(key, known);
    const hint = near === undefined ? '' : `; did you mean \`${near}\`?`;
    fields.refuse(keys, `there is no ${noun} \`${key}\`${hint}`);
  }
}

const READERS: Readonly<Record<Setting['kind'], (fields: TomlFields, field: TomlField) => Raw | undefined>> =
  {
    text: (fields, field) => fields.text(field),
    count: (fields, field) => fields.count(field),
    flag: (fields, field) => fields.flag(field),
    list: (fields, field) => fields.texts(field),
  };

function readField(fields: TomlFields, field: TomlField, setting: Setting, home: string): Raw | undefined {
  const raw = READERS[setting.kind](fields, field);
  if (raw === undefined || !setting.isCheckedInFile) return raw;
  try {
    setting.read(raw, home);
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    fields.refuse(field.path, error.message);
  }
  return raw;
}
