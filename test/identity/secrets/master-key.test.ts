import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createKeyFile, findMasterKey } from '../../../src/identity/secrets/master-key.ts';
import { makeFolder } from '../../store/temporary-home.ts';

const BYTES = Buffer.from('f1'.repeat(32), 'hex');
const isWindows = process.platform === 'win32';

function writeKey(text: string, mode = 0o600): string {
  const folder = makeFolder();
  writeFileSync(join(folder, 'secret.key'), text);
  chmodSync(join(folder, 'secret.key'), mode);
  return folder;
}

function idOf(folder: string, variable?: string): string | undefined {
  return findMasterKey({ folder, variable })?.id;
}

describe('the variable QUERN_MASTER_KEY', () => {
  it.each([BYTES.toString('hex'), BYTES.toString('hex').toUpperCase(), BYTES.toString('base64')])(
    'may be %s',
    (text) => {
      const key = findMasterKey({ folder: makeFolder(), variable: text });
      expect(key).toMatchObject({ id: idOf(writeKey(BYTES.toString('base64'))), source: 'QUERN_MASTER_KEY' });
    },
  );

  it.each([
    '',
    'correct horse battery staple',
    BYTES.toString('hex').slice(1),
    `${BYTES.toString('hex')}0`,
    BYTES.subarray(1).toString('base64'),
    `${BYTES.toString('base64')}AAAA`,
    ` ${BYTES.toString('hex')}`,
    `${BYTES.toString('hex').slice(1)}g`,
  ])('is refused as %j, and the error does not contain it', (text) => {
    const find = () => findMasterKey({ folder: makeFolder(), variable: text });
    expect(find).toThrow(
      expect.objectContaining({
        name: 'HomeError',
        code: 'key',
        message:
          'QUERN_MASTER_KEY must hold 32 bytes, as 64 hexadecimal digits or as 44 characters of base64',
      }),
    );
  });

  it('wins over the file', () => {
    const folder = writeKey(Buffer.alloc(32, 7).toString('base64'));
    expect(idOf(folder, BYTES.toString('hex'))).not.toBe(idOf(folder));
  });
});

describe('the key file', () => {
  it('may end with a line break, and has the same formats as the variable', () => {
    expect(idOf(writeKey(`${BYTES.toString('hex')}\r\n`))).toBe(idOf(writeKey(BYTES.toString('base64'))));
  });

  it('is absent in a folder without one', () => {
    expect(findMasterKey({ folder: makeFolder(), variable: undefined })).toBeNull();
  });

  it.skipIf(isWindows).each([0o640, 0o604, 0o660, 0o601])('is refused with the mode %o', (mode) => {
    const folder = writeKey(BYTES.toString('hex'), mode);
    expect(() => idOf(folder)).toThrow(
      expect.objectContaining({
        code: 'key',
        message: expect.stringMatching(
          /secret\.key is accessible to other users: .* `chmod 600 .*secret\.key`$/,
        ),
      }),
    );
    chmodSync(join(folder, 'secret.key'), 0o400);
    expect(idOf(folder)).toMatch(/^[\da-f]{16}$/);
  });

  it.skipIf(isWindows)('may be a link; the mode of its target counts', () => {
    const folder = makeFolder();
    symlinkSync(join(writeKey(BYTES.toString('hex'), 0o644), 'secret.key'), join(folder, 'secret.key'));
    expect(() => idOf(folder)).toThrow('is accessible to other users');
  });

  it.each(['', 'x', `${BYTES.toString('hex')} ${BYTES.toString('hex')}`])(
    'is refused with the content %j',
    (text) => {
      const folder = writeKey(text);
      expect(() => idOf(folder)).toThrow(/secret\.key must hold 32 bytes/);
    },
  );

  it('is refused when it is a folder', () => {
    const folder = makeFolder();
    mkdirSync(join(folder, 'secret.key'), { mode: 0o700 });
    expect(() => idOf(folder)).toThrow(expect.objectContaining({ name: 'HomeError', code: 'key' }));
  });

  it('is created once, as private, and leaves no temporary file', () => {
    const folder = makeFolder();
    createKeyFile(folder);
    const text = readFileSync(join(folder, 'secret.key'), 'utf8');
    expect(Buffer.from(text, 'base64')).toHaveLength(32);
    expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600);
    createKeyFile(folder);
    expect(readFileSync(join(folder, 'secret.key'), 'utf8')).toBe(text);
    expect(readdirSync(folder)).toEqual(['secret.key']);
    const other = makeFolder();
    createKeyFile(other);
    expect(idOf(other)).not.toBe(idOf(folder));
  });

  it('cannot be created in a folder that does not exist', () => {
    const create = () => createKeyFile(join(makeFolder(), 'nowhere'));
    expect(create).toThrow(expect.objectContaining({ name: 'HomeError', code: 'unwritable' }));
  });
});
