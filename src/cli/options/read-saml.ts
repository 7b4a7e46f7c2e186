import type { SamlChange } from '../../identity/saml/settings/saml-service.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import type { OptionsOf } from '../table/commands.ts';
import { readText } from './read-text.ts';

/**
 * The changes from the options of `quern sso saml set`. Throws a UsageError for unreadable files, and without any
 * option.
 */
export async function readSaml(context: CliContext, options: OptionsOf<'sso saml set'>): Promise<SamlChange> {
  const { json: _, ...changes } = options;
  if (Object.keys(changes).length === 0) {
    throw new UsageError('nothing to change: use an option such as `--metadata FILE` or `--jit on`');
  }
  const { skew, certificateValidity } = options;
  return {
    ...(await readMetadata(context, options.metadata)),
    metadataRefresh: options.metadataRefresh,
    name: options.name,
    entityId: options.entityId === '' ? null : options.entityId,
    attributes: {
      userName: options.username,
      firstName: options.firstName,
      lastName: options.lastName,
      groups: options.groups,
    },
    jit: readSwitch('--jit', options.jit),
    groupSync: readSwitch('--group-sync', options.groupSync),
    createGroups: readSwitch('--create-groups', options.createGroups),
    ssoOnly: readSwitch('--sso-only', options.ssoOnly),
    signRequests: readSwitch('--sign-requests', options.signRequests),
    skewSeconds: skew,
    certificateValidity: {
      count: certificateValidity,
      unit: options.certificateUnit,
    },
  };
}

async function readMetadata(
  context: CliContext,
  name: string | undefined,
): Promise<Pick<SamlChange, 'metadata' | 'metadataUrl'>> {
  if (name === undefined) return {};
  return /^https?:/i.test(name) ? { metadataUrl: name } : { metadata: await readText(context, name) };
}

function readSwitch(flag: string, value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined;
  if (value !== 'on' && value !== 'off') throw new UsageError(`${flag} must be on or off, not \`${value}\``);
  return value === 'on';
}
