import { forgetKeptTexts, keepOfText, readKeptTexts } from './kept-per-text.ts';

/** How a text was run last, which this browser remembers. */
export interface LastRunSettings {
  /** The name of the connection; empty for the one of the project. */
  readonly connection: string;
  /** The overrides of the connection. */
  readonly overrides?: Readonly<Record<string, string>>;
  /** The values of the parameters, as they were typed. */
  readonly values: Readonly<Record<string, string>>;
}

const NAME = 'quern-run-settings/';
/** The maximum characters of the values of one text. */
const MAX_LENGTH = 10_000;

/** The settings of a text; undefined before its first run. */
export function readRunSettings(user: string, key: string): LastRunSettings | undefined {
  return readAll(user).find(([known]) => known === key)?.[1];
}

/** The connection of the last run of any text; empty before the first one. */
export function readLastConnection(user: string): string {
  return readAll(user).findLast(([, { connection }]) => connection !== '')?.[1].connection ?? '';
}

/** Remembers the settings of a text. A browser that refuses this forgets them. */
export function writeRunSettings(user: string, key: string, settings: LastRunSettings): void {
  const isLong = JSON.stringify(settings.values).length > MAX_LENGTH;
  const stored = isLong ? { ...settings, values: {} } : settings;
  keepOfText(NAME + user, readAll(user), key, stored);
}

function readAll(user: string) {
  return readKeptTexts(NAME + user, isSettings);
}

function isSettings(settings: unknown): settings is LastRunSettings {
  return (
    typeof settings === 'object' &&
    settings !== null &&
    'connection' in settings &&
    typeof settings.connection === 'string' &&
    'values' in settings &&
    isTexts(settings.values) &&
    (!('overrides' in settings) || isTexts(settings.overrides))
  );
}

function isTexts(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((item) => typeof item === 'string')
  );
}

/** Gives a text the settings of another one. */
export function copyRunSettings(user: string, from: string, to: string): void {
  const settings = readRunSettings(user, from);
  if (settings !== undefined) writeRunSettings(user, to, settings);
}

/** Forgets the settings of all texts. */
export function forgetRunSettings(user: string): void {
  forgetKeptTexts(NAME + user);
}
