import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { flagOf, nameOf, type Setting, tableOf } from '../../src/settings/setting.ts';
import { SETTINGS } from '../../src/settings/table.ts';

const root = path.resolve(import.meta.dirname, '../..');
const TABLE = 'src/settings/table.ts';
const all = Object.values<Setting>(SETTINGS);

/** The names of a setting: its variable, its option, its key, and its key with the table. Plain words are left out. */
function listNames(setting: Setting): readonly string[] {
  const { variable = '', key } = setting;
  const name = nameOf(setting);
  return [variable, flagOf(setting), key, name].filter((each) => /[._-]/.test(each));
}

const names = new Set(all.flatMap(listNames));

const files = ['bin', 'src', 'web'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:ts|tsx|js)$/.test(file))
    .map((file) => `${folder}/${file.replaceAll(path.sep, '/')}`),
);

/** Prose for users; another test compares it with the table. */
const PROSE = 'src/cli/table/topics.ts';
/** Examples of help; another test runs them. */
const EXAMPLES = /^ +examples: \[[^\]]*\],$/gm;

/** The names of settings in a text, and every variable that starts with QUERN_. */
function findNames(text: string): readonly string[] {
  const words =
    text.replaceAll(EXAMPLES, '').match(/(?<![\w-])(?:--)?[a-z]+(?:[._-][a-z]+)*(?![\w-])|QUERN_[A-Z_]+/g) ??
    [];
  return words.filter((word) => names.has(word) || word.startsWith('QUERN_'));
}

describe('a setting', () => {
  it('has unique names, all in the table', () => {
    const text = readFileSync(path.join(root, TABLE), 'utf8');
    const declared = text.match(/^ {4}(?:key|variable|flag): '[^']+'/gm)!.map((line) => line.split("'")[1]!);
    const listed = all.flatMap(({ key, variable, flag }) => [key, variable, flag].filter(Boolean));
    expect(declared.sort()).toEqual(listed.sort());
    expect(new Set(declared).size).toBe(declared.length);
  });

  it('is not named in any other source file', () => {
    expect(files.length).toBeGreaterThan(900);
    const found = files
      .filter((file) => file !== TABLE && file !== PROSE)
      .flatMap((file) => findNames(readFileSync(path.join(root, file), 'utf8')).map((name) => [file, name]));
    expect(found).toEqual([]);
  });

  it('has the same spelling in the help topics and in the table', () => {
    const prose = readFileSync(path.join(root, PROSE), 'utf8');
    const named = findNames(prose);
    expect(named).toContain('QUERN_HOME');
    expect(named.filter((name) => !names.has(name))).toEqual([]);
  });

  it('is found in a text that contains its name', () => {
    const planted = 'env.QUERN_PORT, `base_url`, "semantic.default_connection", --exec-disk 5, QUERN_NEW';
    expect(findNames(planted)).toEqual([
      'QUERN_PORT',
      'base_url',
      'semantic.default_connection',
      '--exec-disk',
      'QUERN_NEW',
    ]);
    expect(findNames('a.exec_disk_use, --exec-disk-x, options.execDisk')).toEqual([]);
  });

  it('has a variable and an option with the name of its key', () => {
    for (const { key, variable, flag } of all) {
      const name = key.replace('server.', '').replace('.', '_');
      if (variable !== undefined) expect(variable).toBe(`QUERN_${name.toUpperCase()}`);
      if (flag !== undefined) expect(flagOf({ flag })).toBe(`--${name.replaceAll('_', '-')}`);
    }
    expect(all.filter((setting) => tableOf(setting) === 'server').length).toBeGreaterThan(20);
  });
});
