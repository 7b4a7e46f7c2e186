import { flagOf, type Raw, type Setting, tableOf } from './setting.ts';

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
export type Origin = 'flag' | 'variable' | 'config' | 'default';

/** The settings of a home, as they are found in their sources. Every method throws a HomeError for a `config.toml` that cannot be read. */
export interface Settings {
  /** Throws a SettingError for a value that cannot be. */
  get<Value>(setting: Setting<Value>): Value;
  findOrigin(setting: Setting): Origin;
  /** The given value; undefined without one. Throws a SettingError for a variable that cannot be read. */
  findRaw(setting: Setting): Raw | undefined;
}

/** The settings of a home; `readConfig` is called when its `config.toml` is first needed. */
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

  /** An option that may be repeated is an empty list where it is not given. */
  function findFlag(setting: Setting): Raw | undefined {
    const flag = flags[toAttribute(setting)];
    return typeof flag === 'object' && flag.length === 0 ? undefined : flag;
  }

  function findOrigin(setting: Setting): Origin {
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

/** The value of a setting that is not kept in `config.toml`. */
export function readVariable<Value>(setting: Setting<Value>, env: Environment): Value {
  return createSettings({ home: '', env }, () => new Map()).get(setting);
}

/** What a setting is where nothing is given. */
export function defaultOf<Value>(setting: Setting<Value>): Value {
  return setting.read(undefined, '');
}

/** The name that an option has in the program; empty for none. */
function toAttribute(setting: Setting): string {
  return flagOf(setting)
    .slice(2)
    .replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
