import type { Command } from '../context/command.ts';
import { JSON_OPTION, OUTPUT, YES } from './shared-options.ts';

/** The commands about single sign-on, in the order in which help shows them. */
export const SSO_COMMANDS = [
  {
    name: 'sso saml show',
    summary: 'show the SAML settings and the certificates of both sides',
    args: [],
    options: [JSON_OPTION],
    examples: ['quern sso saml show', 'quern sso saml show --json'],
  },
  {
    name: 'sso saml set',
    summary: 'set up SAML, or change the given settings',
    args: [],
    options: [
      {
        flags: '--metadata <file|url>',
        summary:
          'metadata of the identity provider: a file, - for standard input, or an https URL, which is fetched now',
      },
      {
        flags: '--metadata-refresh <off|review|apply>',
        summary:
          'fetch the metadata URL daily while the server runs; review changes, or apply them (default: off)',
      },
      { flags: '--name <text>', summary: 'label of the button "Sign in with NAME" (default: SSO)' },
      { flags: '--entity-id <text>', summary: "entity ID of Quern; '' for the base URL (default)" },
      { flags: '--username <attribute>', summary: 'attribute of the user name (default: username)' },
      { flags: '--first-name <attribute>', summary: 'attribute of the first name (default: firstName)' },
      { flags: '--last-name <attribute>', summary: 'attribute of the last name (default: lastName)' },
      { flags: '--groups <attribute>', summary: 'attribute of the groups (default: groups)' },
      { flags: '--jit <on|off>', summary: 'create users at their first sign-in (default: off)' },
      { flags: '--group-sync <on|off>', summary: 'synchronize groups at each sign-in (default: on)' },
      { flags: '--create-groups <on|off>', summary: 'create groups that do not exist (default: on)' },
      {
        flags: '--sso-only <on|off>',
        summary: 'allow sign-in by password only for administrators (default: off)',
      },
      {
        flags: '--sign-requests <on|off>',
        summary: 'sign requests, even if the identity provider does not ask for it (default: off)',
      },
      {
        flags: '--skew <seconds>',
        summary: 'allowed clock difference, up to 300 (default: 60)',
        reader: 'count',
      },
      {
        flags: '--certificate-validity <number>',
        summary: 'validity of new certificates (default: 365)',
        reader: 'positive',
      },
      { flags: '--certificate-unit <unit>', summary: 'days, months or years (default: days)' },
      JSON_OPTION,
    ],
    examples: [
      'quern sso saml set --metadata idp.xml --name "Contoso"',
      'quern sso saml set --jit on --create-groups off',
      'quern sso saml set --groups roles --group-sync on',
    ],
  },
  {
    name: 'sso saml test',
    summary: 'start a test sign-in, wait for it, and show the received attributes',
    args: [],
    options: [
      {
        flags: '--timeout <seconds>',
        summary: 'stop after this many seconds (default: 300)',
        reader: 'positive',
      },
      JSON_OPTION,
    ],
    examples: ['quern sso saml test', 'quern sso saml test --timeout 60 --json'],
  },
  {
    name: 'sso saml rm',
    summary: 'delete the SAML settings and certificates; accounts remain',
    args: [],
    options: [YES],
    examples: ['quern sso saml rm --yes'],
  },
  {
    name: 'sso saml refresh-metadata',
    summary: 'fetch the metadata URL and show changes',
    args: [],
    options: [JSON_OPTION],
    examples: ['quern sso saml refresh-metadata', 'quern sso saml refresh-metadata --json'],
  },
  {
    name: 'sso saml apply-metadata',
    summary: 'apply the changed metadata',
    args: [],
    options: [YES, JSON_OPTION],
    examples: ['quern sso saml apply-metadata', 'quern sso saml apply-metadata --yes'],
  },
  {
    name: 'sso saml renew-certificate',
    summary: 'create a pending certificate',
    args: [],
    options: [JSON_OPTION],
    examples: ['quern sso saml renew-certificate && quern sso saml metadata --output quern.xml'],
  },
  {
    name: 'sso saml activate-certificate',
    summary: 'activate the pending certificate',
    args: [],
    options: [JSON_OPTION],
    examples: ['quern sso saml activate-certificate'],
  },
  {
    name: 'sso saml metadata',
    summary: 'print the metadata of Quern for the identity provider',
    args: [],
    options: [OUTPUT],
    examples: ['quern sso saml metadata --output quern.xml'],
  },
  {
    name: 'sso saml certificate',
    summary: 'print the active certificate of Quern as PEM',
    args: [],
    options: [OUTPUT],
    examples: ['quern sso saml certificate --output quern.pem'],
  },
  {
    name: 'sso saml link',
    summary: 'link a user to a NameID of the identity provider',
    args: [
      { name: '<user>', summary: 'user name' },
      { name: '<nameid>', summary: 'NameID at the identity provider: an e-mail address' },
    ],
    options: [JSON_OPTION],
    examples: ['quern sso saml link admin boss@example.org'],
  },
  {
    name: 'sso saml unlink',
    summary: 'delete the links of a user, or those to a former identity provider',
    args: [{ name: '[user]', summary: 'user name' }],
    options: [
      { flags: '--entity-id <id>', summary: 'delete all links to the identity provider with this entity ID' },
      YES,
    ],
    examples: [
      'quern sso saml unlink admin --yes',
      'quern sso saml unlink --entity-id https://former.example.org/metadata --yes',
    ],
  },
] as const satisfies readonly Command[];
