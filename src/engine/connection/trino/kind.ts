import {
  defineOption,
  getOption,
  isOneOf,
  type KindDefinition,
  type OptionDefinition,
} from '../contract/kind.ts';
import { defineHost, defineServerOptions, isLocalHost } from '../server/options.ts';

const PORT = 8080;

/** Settings as `name=value`, separated by semicolons. */
const isPairs: OptionDefinition['check'] = (value) => {
  const isRight = value.split(';').every((pair) => /^\s*[^\s=;]+\s*=/.test(pair));
  return isRight ? null : 'must be `name=value` pairs, separated by semicolons';
};

const isSchema: OptionDefinition['check'] = (value) =>
  /^(?:[^.]+\.)?[^.]+$/.test(value) ? null : 'must be `schema` or `catalog.schema`';

const HOST = defineHost('the name or address of the coordinator', false);

/** The options of all servers, except those with another name in Trino. */
const SHARED = defineServerOptions(PORT, HOST).filter(({ name }) => name !== 'database');

export const trinoKind: KindDefinition = {
  kind: 'trino',
  title: 'Trino, a distributed engine for the data of other systems',
  options: [
    ...SHARED,
    defineOption('catalog', 'the catalog that names without one belong to'),
    defineOption('schema', 'the schema that names without one belong to; it needs a catalog'),
    defineOption(
      'scratch_schema',
      'the schema, or catalog.schema, for rows that a run stores until it ends',
      {
        shownDefault: 'none: only queries that can be part of a statement run',
        check: isSchema,
      },
    ),
    defineOption('role', 'the role of the user, or roles by catalog: hive=admin;iceberg=writer', {
      shownDefault: 'that of the server',
    }),
    defineOption('client_tags', 'tags for the server’s resource groups, separated by commas'),
    defineOption('session', 'session properties: query_max_run_time=10m;join_distribution_type=BROADCAST', {
      check: isPairs,
    }),
    defineOption('spooling', 'true: the server may send rows through its storage, if it has one', {
      shownDefault: 'true, or false on this machine',
      findDefault: (options) => String(!isLocalHost(getOption(options, 'host'))),
      check: isOneOf('true', 'false'),
    }),
    defineOption('jwt', 'a JSON web token, instead of a password', { isSecret: true }),
    defineOption('sslcert', 'a file with the user’s certificate, instead of a password', {
      isPath: () => true,
    }),
    defineOption('sslkey', 'the private key of the certificate, as the text of a PEM file', {
      isSecret: true,
      isMultiline: true,
    }),
    defineOption('extra_credentials', 'credentials for connectors: name=value;name=value', {
      isSecret: true,
      check: isPairs,
    }),
  ],
  overrides: ['database', 'schema'],
  maxSessions: 10,
};
