import type { Command, CommandOption } from '../context/command.ts';
import { JSON_OPTION, YES } from './shared-options.ts';

const OUTPUT = {
  flags: '--output <file>',
  summary: 'write it to a file (default: standard output)',
} as const satisfies CommandOption;

/** The commands about single sign-on, in the order in which help shows them. */
export const SSO_COMMANDS = [
  {
    name: 'sso saml show',
    summary: 'show how people sign in by SAML, and the certificates of both sides',
    args: [],
    options: [JSON_OPTION],
    examples: ['quern sso saml show', 'quern sso saml show --json'],
  },
  {
    name: 'sso saml set',
    summary: 'set SAML up, or change what is named and leave the rest',
    args: [],
    options: [
      {
        flags: '--metadata <file|url>',
        summary:
          'metadata of the identity provider: a file, - for standard input, or an https URL, which is read now',
      },
      {
        flags: '--metadata-refresh <off|review|apply>',
        summary:
          'read the metadata URL daily while the server runs: review changes with `apply-metadata`, or apply them at once (default: off)',
      },
      { flags: '--name <text>', summary: 'as in "Sign in with NAME" (default: SSO)' },
      { flags: '--entity-id <text>', summary: "ours; '' takes the base URL (the default)" },
      { flags: '--username <attribute>', summary: 'attribute of the user name (default: username)' },
      { flags: '--first-name <attribute>', summary: 'attribute of the first name (default: firstName)' },
      { flags: '--last-name <attribute>', summary: 'attribute of the last name (default: lastName)' },
      { flags: '--groups <attribute>', summary: 'attribute of the groups (default: groups)' },
      { flags: '--jit <on|off>', summary: 'create users at their first sign-in (default: off)' },
      { flags: '--group-sync <on|off>', summary: 'take over the groups at each sign-in (default: on)' },
      { flags: '--create-groups <on|off>', summary: 'create groups that do not exist (default: on)' },
      { flags: '--sso-only <on|off>', summary: 'only administrators sign in with a password (default: off)' },
      {
        flags: '--sign-requests <on|off>',
        summary: 'sign requests, even if the identity provider does not ask for it (default: off)',
      },
      {
        flags: '--skew <seconds>',
        summary: 'by how much the clocks may differ, up to 300 (default: 60)',
        reader: 'count',
      },
      {
        flags: '--certificate-validity <number>',
        summary: 'for how long new certificates are valid (default: 365)',
        reader: 'positive',
      },
      { flags: '--certificate-unit <unit>', summary: 'days, months or years (default: days)' },
      JSON_OPTION,
    ],
    examples: [
      'quern sso saml set --metadata idp.xml --name "Contoso"',
      'quern sso saml set --metadata https://idp.example.org/metadata --jit on',
      'quern sso saml set --groups roles --group-sync on',
    ],
  },
  {
    name: 'sso saml test',
    summary: 'begin a test sign-in, wait for it, and show the attributes received',
    args: [],
    options: [
      {
        flags: '--timeout <seconds>',
        summary: 'how long to wait for the sign-in (default: 300)',
        reader: 'positive',
      },
      JSON_OPTION,
    ],
    examples: ['quern sso saml test', 'quern sso saml test --timeout 60 --json'],
  },
  {
    name: 'sso saml rm',
    summary: 'delete the settings of SAML and the certificates; accounts stay',
    args: [],
    options: [YES],
    examples: ['quern sso saml rm', 'quern sso saml rm --yes'],
  },
  {
    name: 'sso saml refresh-metadata',
    summary: 'read the metadata URL again, and show what has changed',
    args: [],
    options: [JSON_OPTION],
    examples: ['quern sso saml refresh-metadata', 'quern sso saml refresh-metadata --json'],
  },
  {
    name: 'sso saml apply-metadata',
    summary: 'apply the changed metadata',
    args: [],
    options: [{ ...YES, summary: 'apply without a question' }, JSON_OPTION],
    examples: ['quern sso saml apply-metadata', 'quern sso saml apply-metadata --yes'],
  },
  {
    name: 'sso saml renew-certificate',
    summary: 'create a certificate that is pending until it is activated',
    args: [],
    options: [JSON_OPTION],
    examples: ['quern sso saml renew-certificate && quern sso saml metadata --output quern.xml'],
  },
  {
    name: 'sso saml activate-certificate',
    summary: 'put the pending certificate in place of the active one',
    args: [],
    options: [JSON_OPTION],
    examples: ['quern sso saml activate-certificate'],
  },
  {
    name: 'sso saml metadata',
    summary: 'print our metadata, for the identity provider',
    args: [],
    options: [OUTPUT],
    examples: ['quern sso saml metadata --output quern.xml'],
  },
  {
    name: 'sso saml certificate',
    summary: 'print our active certificate as PEM',
    args: [],
    options: [OUTPUT],
    examples: ['quern sso saml certificate --output quern.pem'],
  },
  {
    name: 'sso saml link',
    summary: 'link a user to a NameID of the identity provider',
    args: [
      { name: '<user>', summary: 'user name' },
      { name: '<nameid>', summary: 'what the identity provider calls the user: an e-mail address' },
    ],
    options: [JSON_OPTION],
    examples: ['quern sso saml link admin boss@example.org'],
  },
] as const satisfies readonly Command[];
