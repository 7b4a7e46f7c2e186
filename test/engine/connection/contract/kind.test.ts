import { describe, expect, it } from 'vitest';
import { resolveOptions } from '../../../../src/engine/connection/contract/kind.ts';
import { KINDS } from '../../../../src/engine/connection/kinds.ts';

const resolve = (kind: keyof typeof KINDS, options: Readonly<Record<string, string>>, overrides = {}) =>
  resolveOptions(KINDS[kind], { options, overrides });

describe('the options of a connection', () => {
  it('have the defaults of their kind', () => {
    expect(resolve('postgresql', { user: 'ann' })).toEqual({
      host: 'localhost',
      port: '5432',
      user: 'ann',
      sslmode: 'disable',
      connect_timeout: '10',
      time_zone: 'UTC',
    });
    expect(resolve('mysql', { user: 'ann' }).port).toBe('3306');
    expect(resolve('trino', { user: 'ann' })).toMatchObject({ port: '8080', spooling: 'false' });
    expect(resolve('duckdb', { file: ':memory:' })).toEqual({ file: ':memory:', time_zone: 'UTC' });
  });

  it('have defaults that depend on the host', () => {
    const options = { host: 'db.example', user: 'ann' };
    expect(resolve('mysql', options).sslmode).toBe('verify-full');
    expect(resolve('trino', options)).toMatchObject({ sslmode: 'verify-full', spooling: 'true' });
  });

  it('keep the values of the connection', () => {
    expect(resolve('trino', { user: 'ann', port: '1', spooling: 'true', sslmode: 'require' })).toMatchObject({
      port: '1',
      spooling: 'true',
      sslmode: 'require',
    });
  });

  it('are refused if the kind does not have them, or one is missing', () => {
    expect(() => resolve('trino', { user: 'ann', file: 'x' })).toThrow(
      'A Trino connection has no option "file".',
    );
    expect(() => resolve('mysql', {})).toThrow('A MySQL connection needs the option "user".');
    expect(() => resolve('postgresql', { user: 'ann' }, { host: 'x' })).toThrow(
      'PostgreSQL has no override "host".',
    );
  });
});
