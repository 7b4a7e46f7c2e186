import { listKeys } from '../invariants/narrow.ts';
import { flagOf, type Raw, type Setting, tableOf } from './setting.ts';
import { SETTINGS } from './table.ts';

/** The values in `config.toml`, by the keys of settings. */
export type ConfigValues = ReadonlyMap<string, Raw>;

/** Variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The sources of settings. Options come before variables, and variables before `config.toml`. */
export interface SettingSources {
  /** The folder of the home, the base of relative paths in `config.toml`. */
  readonly home: string;
  readonly env?: Environment;
  /** By their property names, as `tlsCert`. */
  readonly flags?: Readonly<Record<string, Raw | undefined>>;
  /** The base of all other relative paths. */
  readonly cwd?: string;
}

/** The source of a value. */
export type SettingOrigin = 'flag' | 'variable' | 'config' | 'default';

/**
 * The settings of a home, read from their sources. Every method throws a HomeError when `config.toml` cannot be read.
 */
export interface Settings {
  /** Throws a SettingError for an invalid value. */
  get<Value>(setting: Setting<Value>): Value;
  findOrigin(setting: Setting): SettingOrigin;
  /** The given value; undefined without one. Throws a SettingError for a variable that cannot be read. */
  findRaw(setting: Setting): Raw | undefined;
}

/** The settings of a home; calls `readConfig` when `config.toml` is first needed. */
export function createSettings(
  { home, env = {}, flags = {}, cwd = home }: SettingSources,
  readConfig: () => ConfigValues,
): Settings {
  let config: ConfigValues | undefined;

  function findConfigured(setting: Setting): Raw | undefined {
    if (tableOf(setting) === null) return undefined;
    config ??= readConfig();
    return config.get(setting.key);
  }

  function findVariable({ variable, countsEmpty }: Setting): string | undefined {
    const text = variable === undefined ? undefined : env[variable];
    return text === '' && !countsEmpty ? undefined : text;
  }

  /** A repeatable option that is not given is an empty list. */
  function findFlag(setting: Setting): Raw | undefined {
    const flag = flags[toAttribute(setting)];
    return typeof flag === 'object' && flag.length === 0 ? undefined : flag;
  }

  function findOrigin(setting: Setting): SettingOrigin {
    if (findFlag(setting) !== undefined) return 'flag';
    if (findVariable(setting) !== undefined) return 'variable';
    return findConfigured(setting) === undefined ? 'default' : 'config';
  }

  function findRaw(setting: Setting): Raw | undefined {
    const flag = findFlag(setting);
    if (flag !== undefined) return flag;
    const text = findVariable(setting);
    if (text !== undefined) return setting.parse(text, setting.variable ?? '');
    return findConfigured(setting);
  }

  return {
    findOrigin,
    findRaw,
    get: (setting) => setting.read(findRaw(setting), findOrigin(setting) === 'config' ? home : cwd),
  };
}

/** The values of all settings, by their names in the table. */
export type SettingValues = {
  readonly [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['read']>;
};

/** Reads all settings. Throws a SettingError for an invalid value. */
export function readValues(settings: Settings): SettingValues {
  const values = listKeys(SETTINGS).map((name) => [name, settings.get<unknown>(SETTINGS[name])] as const);
  return Object.fromEntries(values) as SettingValues;
}

/** The value of a setting that is not in `config.toml`. */
export function readVariable<Value>(setting: Setting<Value>, env: Environment): Value {
  return createSettings({ home: '', env }, () => new Map()).get(setting);
}

/** The default of a setting. */
export function defaultOf<Value>(setting: Setting<Value>): Value {
  return setting.read(undefined, '');
}

/** The property name of an option; empty without an option. */
function toAttribute(setting: Setting): string {
  return flagOf(setting)
    .slice(2)
    .replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
