import { flagOf, type Raw, type Setting, SettingError, tableOf } from './setting.ts';

/** What `config.toml` gives, by the keys of settings. */
export type ConfigValues = ReadonlyMap<string, Raw>;

/** Variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where settings come from, the first that has one counts: options, variables, `config.toml`. */
export interface SettingSources {
  /** The folder of the home, in which relative paths of `config.toml` begin. */
  readonly home: string;
  readonly env?: Environment;
  /** By their names in the program, as `tlsCert`. */
  readonly flags?: Readonly<Record<string, Raw | undefined>>;
  /** The folder in which other relative paths begin. */
  readonly cwd?: string;
}

/** Where a value comes from. */
type Origin = 'flag' | 'variable' | 'config' | 'default';

/** The settings of a home, as they are found in their sources. */
export interface Settings {
  /** Throws a SettingError for a value that cannot be, and a HomeError for a `config.toml` that cannot be read. */
  get<Value>(setting: Setting<Value>): Value;
  /** What is given, and where; without a value it is the default. Throws as `get` does. */
  find(setting: Setting): { readonly origin: Origin; readonly raw?: Raw };
}

/** The settings of a home; `readConfig` is called when its `config.toml` is first needed. */
export function createSettings(
  { home, env = {}, flags = {}, cwd = home }: SettingSources,
  readConfig: () => ConfigValues,
): Settings {
  let config: ConfigValues | undefined;

  function find(setting: Setting): { readonly origin: Origin; readonly raw?: Raw } {
    const flag = setting.flag && flags[toAttribute(setting.flag)];
    if (flag !== undefined && setting.flag !== undefined) return { origin: 'flag', raw: flag };
    const { variable = '' } = setting;
    const text = env[variable];
    if (text || (text === '' && setting.countsEmpty)) {
      return { origin: 'variable', raw: setting.parse(text, variable) };
    }
    if (tableOf(setting) === null) return { origin: 'default' };
    config ??= readConfig();
    const raw = config.get(setting.key);
    return raw === undefined ? { origin: 'default' } : { origin: 'config', raw };
  }

  return {
    find,
    get(setting) {
      const { origin, raw } = find(setting);
      return setting.read(raw, origin === 'config' ? home : cwd);
    },
  };
}

/** The value of a setting that is not kept in `config.toml`. */
export function readVariable<Value>(setting: Setting<Value>, env: Environment): Value {
  return createSettings({ home: '', env }, () => new Map()).get(setting);
}

/** What a setting is where nothing is given. */
export function defaultOf<Value>(setting: Setting<Value>): Value {
  return setting.read(undefined, '');
}

/** The name that an option has in the program. */
function toAttribute(flag: string): string {
  return flagOf({ flag })
    .slice(2)
    .replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

export { SettingError };
