import type { SamlChange } from '../../workspace/api/saml-api.ts';
import type { CommandInput, OptionValue } from '../context/command.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { readText } from './read-text.ts';

/** What the options of `quern sso saml set` say. Throws a UsageError for what cannot be read, and where nothing is said. */
export async function readSaml(context: CliContext, options: CommandInput['options']): Promise<SamlChange> {
  const { json: _, ...said } = options;
  if (Object.keys(said).length === 0) {
    throw new UsageError('nothing to change: say what, as with `--metadata FILE` or `--jit on`');
  }
  const { skew, certificateValidity } = options;
  return {
    ...(await readMetadata(context, readOption(options.metadata))),
    metadataRefresh: readOption(options.metadataRefresh),
    name: readOption(options.name),
    entityId: options.entityId === '' ? null : readOption(options.entityId),
    attributes: {
      userName: readOption(options.username),
      firstName: readOption(options.firstName),
      lastName: readOption(options.lastName),
      groups: readOption(options.groups),
    },
    jit: readSwitch('--jit', options.jit),
    groupSync: readSwitch('--group-sync', options.groupSync),
    createGroups: readSwitch('--create-groups', options.createGroups),
    ssoOnly: readSwitch('--sso-only', options.ssoOnly),
    signRequests: readSwitch('--sign-requests', options.signRequests),
    skewSeconds: typeof skew === 'number' ? skew : undefined,
    certificateValidity: {
      count: typeof certificateValidity === 'number' ? certificateValidity : undefined,
      unit: readOption(options.certificateUnit),
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

function readOption(value: OptionValue): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function readSwitch(flag: string, value: OptionValue): boolean | undefined {
  if (value === undefined) return undefined;
  if (value !== 'on' && value !== 'off')
    throw new UsageError(`${flag} must be on or off, not \`${String(value)}\``);
  return value === 'on';
}
