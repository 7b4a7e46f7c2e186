import { isIP } from 'node:net';
import path from 'node:path';
import { type Reading, SettingError } from './setting.ts';

/** Any value. */
export function asIs<Value>(value: Value): Value {
  return value;
}

interface Between {
  readonly range: string;
  read(value: number, reading: Reading): number;
}

/** A number in a range; `refuse` makes another message. */
export function between(
  min: number,
  max: number,
  {
    unit = '',
    refuse,
  }: { readonly unit?: string; readonly refuse?: (value: number, name: string) => string } = {},
): Between {
  return {
    range: `${min} to ${max}${unit}`,
    read(value, { name }) {
      if (value >= min && value <= max) return value;
      const message = refuse?.(value, name) ?? `${name} is ${value}${unit}: it must be from ${min} to ${max}`;
      throw new SettingError(message);
    },
  };
}

/** As `oneOf`, without case. */
export function oneOfRoles<const Role extends string>(roles: readonly Role[]): OneOf<Role> {
  return {
    range: roles.join(', '),
    read(value, { key }) {
      const role = roles.find((each) => each === value.toUpperCase());
      if (role !== undefined) return role;
      throw new SettingError(`\`${key}\` must be ${roles.join(' or ')}, not \`${value}\``);
    },
  };
}

interface OneOf<Choice> {
  readonly range: string;
  read(value: string, reading: Reading): Choice;
}

/** One of some words; `noun` is the name of the value in messages. */
export function oneOf<const Choice extends string>(choices: readonly Choice[], noun?: string): OneOf<Choice> {
  return {
    range: choices.join(', '),
    read(value, { name }) {
      const choice = choices.find((each) => each === value);
      if (choice !== undefined) return choice;
      throw new SettingError(`unknown ${noun ?? name} ${value}: it must be one of ${choices.join(', ')}`);
    },
  };
}

/** A file, as an absolute path. */
export function toPath(name: string, { base }: Reading): string {
  return path.resolve(base, name);
}

/** Refuses an empty host, because a server would then listen on all addresses. */
export function checkHost(host: string, { flag }: Reading): string {
  if (host !== '') return host;
  throw new SettingError(`${flag} is empty: give an address, or 0.0.0.0 for all of this machine`);
}

/** The address of an instance, without a path. */
export function toOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  if (!isPlain || url.username !== '' || url.pathname !== '/') {
    throw new SettingError(
      `${text} is not the address of an instance: use the form https://quern.example.org`,
    );
  }
  return url.origin;
}

/** Addresses and networks; one text can contain several, separated by commas. */
export function toNetworks(texts: readonly string[]): readonly string[] {
  const networks = texts.flatMap((each) => each.split(',')).map((each) => each.trim());
  const wrong = networks.find((each) => !isNetwork(each));
  if (wrong === undefined) return networks;
  throw new SettingError(`${wrong} is not the address of a proxy: use the form 10.0.0.7 or 10.0.0.0/8`);
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...extraParts] = text.split('/');
  const version = isIP(address);
  if (version === 0 || extraParts.length > 0) return false;
  return (
    bits === undefined ||
    (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128))
  );
}
