import { defineOption, isOneOf, isWhole, type OptionDefinition } from '../contract/kind.ts';

/** Options that all database servers share. */
export function defineServerOptions(port: number): readonly OptionDefinition[] {
  return [
    defineOption('host', 'the name or address of the server, or the folder of its socket', {
      default: 'localhost',
    }),
    defineOption('port', 'the port of the server', { default: String(port), check: isWhole(1, 65535) }),
    defineOption('user', 'the user name', { isRequired: true }),
    defineOption('password', 'the user’s password', { isSecret: true }),
    defineOption('database', 'the database that statements run in'),
    defineOption(
      'sslmode',
      'disable, require (encrypted, certificate not checked), verify-ca (certificate checked), or verify-full (certificate and host name checked)',
      {
        default: 'verify-full, or disable on this machine',
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
