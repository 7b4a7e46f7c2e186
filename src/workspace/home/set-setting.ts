import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { removeTomlKey, setTomlValue } from '../../engine/project/edit-toml.ts';
import type { Diagnostic } from '../../engine/text/diagnostic.ts';
import { HomeError } from '../../errors/home-error.ts';
import { toError } from '../../invariants/narrow.ts';
import { nameOf, type Setting, SettingError, tableOf } from '../../settings/setting.ts';
import { syncFolder } from '../../store/files/backup.ts';
import { configFile, readConfigFile, readConfigText } from './home-config.ts';

/**
 * Sets a setting in a home's `config.toml`; comments and other settings stay. Returns the other errors of the file;
 * with errors it does not change the file. Throws a SettingError for an invalid value, and for a setting that is not
 * stored there; a HomeError where the file cannot be read or written.
 */
export function setSetting(home: string, setting: Setting, value: string): readonly Diagnostic[] {
  const { key, variable } = setting;
  const table = getTable(setting, `set ${variable}`);
  const raw = setting.parse(value, `\`${key}\``);
  setting.read(raw, home);
  return change(home, table, {
    edit: (text) => setTomlValue(text, { table, key: nameOf(setting) }, raw),
    byHand: `set \`${nameOf(setting)}\` there by hand`,
  });
}

/**
 * Removes a setting from a home's `config.toml`. Returns and throws like `setSetting`; also throws a SettingError for a
 * setting that is not in the file.
 */
export function unsetSetting(home: string, setting: Setting): readonly Diagnostic[] {
  const table = getTable(setting, `unset ${setting.variable}`);
  return change(home, table, {
    edit(text) {
      const edited = removeTomlKey(text, { table, key: nameOf(setting) });
      if (edited !== text) return edited;
      throw new SettingError(`\`${setting.key}\` is not set in ${configFile(home)}`);
    },
    byHand: `remove \`${nameOf(setting)}\` there by hand`,
  });
}

function getTable(setting: Setting, advice: string): string {
  const table = tableOf(setting);
  if (table !== null) return table;
  throw new SettingError(`\`${setting.key}\` is not stored in config.toml: ${advice} in the environment`);
}

interface ConfigChange {
  /** The new text; null where the text cannot be edited. */
  edit(text: string): string | null;
  /** The manual alternative in that case. */
  readonly byHand: string;
}

function change(home: string, table: string, { edit, byHand }: ConfigChange): readonly Diagnostic[] {
  const file = configFile(home);
  const text = readConfigFile(home) ?? '';
  const edited = edit(text);
  if (edited !== null && readConfigText(home, edited).errors === undefined) {
    replaceFile(file, edited, home);
    return [];
  }
  const { errors } = readConfigText(home, text);
  if (errors !== undefined) return errors;
  throw new SettingError(`${file} has \`${table}\` in a form that this command cannot edit: ${byHand}`);
}

/** Replaces a file, or the target of a link, atomically; its mode does not change. */
function replaceFile(file: string, text: string, home: string): void {
  try {
    const old = statSync(file, { throwIfNoEntry: false });
    const target = old === undefined ? file : realpathSync(file);
    const draft = `${target}.${randomUUID()}.new`;
    try {
      writeDraft(draft, text, old ?? statSync(home), (old?.mode ?? 0o600) & 0o777);
      renameSync(draft, target);
    } finally {
      rmSync(draft, { force: true });
    }
    syncFolder(path.dirname(target));
  } catch (cause) {
    throw new HomeError('unwritable', `${file} cannot be written: ${toError(cause).message}`, { cause });
  }
}

/** A file that root writes keeps its owner, or gets the owner of the home. */
function writeDraft(draft: string, text: string, owner: Stats, mode: number): void {
  const handle = openSync(draft, 'wx', mode);
  try {
    writeFileSync(handle, text);
    fchmodSync(handle, mode);
    if (process.getuid?.() === 0) fchownSync(handle, owner.uid, owner.gid);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
