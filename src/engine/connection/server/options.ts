import { defineOption, isOneOf, isWhole, type OptionDefinition } from '../contract/kind.ts';

/** What the kinds that are servers have in common. */
export function defineServerOptions(port: number): readonly OptionDefinition[] {
  return [
    defineOption('host', 'the name or address of the server, or the folder of its socket', {
      default: 'localhost',
    }),
    defineOption('port', 'the port of the server', { default: String(port), check: isWhole(1, 65535) }),
    defineOption('user', 'who signs in', { isRequired: true }),
    defineOption('password', 'with what', { isSecret: true }),
    defineOption('database', 'the database that statements run in'),
    defineOption(
      'sslmode',
      'disable, require (encrypted, whoever answers), verify-ca, or verify-full (the certificate is checked, and that it is of this host)',
      {
        default: 'verify-full, or disable on this machine',
        check: isOneOf('disable', 'require', 'verify-ca', 'verify-full'),
      },
    ),
    defineOption('sslrootcert', 'a file with the certificates to trust, in place of the system’s', {
      isPath: () => true,
    }),
    defineOption('connect_timeout', 'seconds until a server that does not answer is given up', {
      default: '10',
      check: isWhole(1, 600),
    }),
    defineOption('time_zone', 'the time zone of sessions', { default: 'UTC' }),
  ];
}
