import { isIPv4, isIPv6 } from 'node:net';
import path from 'node:path';
import { defineOption, getOption, isOneOf, isWhole, type OptionDefinition } from '../contract/kind.ts';

/** The option for where a server is; `isSocket`: it may also be the folder of a socket. */
export function defineHost(description: string, isSocket: boolean): OptionDefinition {
  const check = (value: string) => (isSocket && path.isAbsolute(value) ? null : checkHost(value));
  return defineOption('host', description, { default: 'localhost', check });
}

const HOST = defineHost('the name or address of the server, or the folder of its socket', true);

/** Whether a connection to a host stays on this machine. */
export function isLocalHost(host: string): boolean {
  return (
    host.startsWith('/') ||
    host === 'localhost' ||
    host === '::1' ||
    (isIPv4(host) && host.startsWith('127.'))
  );
}

/** The end of an error message for a text that is neither a name nor an address; null for a valid one. */
function checkHost(value: string): string | null {
  if (isIPv6(value) || /^[\p{L}\p{N}._-]+$/u.test(value)) return null;
  if (value.includes('://')) return 'must be a name or an address, without `https://` or another scheme';
  if (isIPv6(value.replace(/^\[(.*)\]$/, '$1'))) return 'must be an address without brackets';
  if (/^[^:]*:\d+$|^\[.*\]:\d+$/.test(value))
    return 'must be a name or an address: the port is another option';
  return 'must be the name or the address of a server';
}

/** Options that all database servers share. */
export function defineServerOptions(port: number, host = HOST): readonly OptionDefinition[] {
  return [
    host,
    defineOption('port', 'the port of the server', { default: String(port), check: isWhole(1, 65535) }),
    defineOption('user', 'the user name', { isRequired: true }),
    defineOption('password', 'the user’s password', { isSecret: true }),
    defineOption('database', 'the database that statements run in'),
    defineOption(
      'sslmode',
      'disable, require (encrypted, certificate not checked), verify-ca (certificate checked), or verify-full (certificate and host name checked)',
      {
        shownDefault: 'verify-full, or disable on this machine',
        findDefault: (options) => (isLocalHost(getOption(options, 'host')) ? 'disable' : 'verify-full'),
        check: isOneOf('disable', 'require', 'verify-ca', 'verify-full'),
      },
    ),
    defineOption('sslrootcert', 'a file with the certificates to trust, instead of the system’s', {
      isPath: () => true,
    }),
    defineOption('connect_timeout', 'seconds to wait for the server', {
      default: '10',
      check: isWhole(1, 600),
    }),
    defineOption('time_zone', 'the time zone of sessions', { default: 'UTC' }),
  ];
}
