import type { ExecutionOutcome } from '../../execution/contract/outcome.ts';
import type { ExecutionRequest } from '../../execution/contract/request.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { SETTINGS } from '../../settings/table.ts';
import type { Target } from '../api/target.ts';
import type { RunRequest } from '../api/workspace-api.ts';
import type { Home } from '../home/home.ts';
import { planMemory } from '../limits/memory-plan.ts';
import type { Services } from '../services/services.ts';
import { type Confines, confine, planConfines } from './confine.ts';

/** The open home of a command, and its acting user. */
interface OpenHome {
  readonly home: Home;
  readonly runFolder: string;
  readonly services: Pick<Services, 'connections' | 'findSettings'>;
  readonly principal: Principal;
}

/**
 * Returns a function that gives the execution of a text of the catalog the restrictions that a server with the settings
 * of the home has (docs/reference/server-sql.md#texts-of-the-catalog): any of its editors may have written it. It
 * returns null for other texts and for an unrestricted run, and throws the errors of a semantic connection.
 */
export function createRestriction({ home, runFolder, services, principal }: OpenHome) {
  let confines: Confines | undefined;

  function plan(): Confines {
    const settings = services.findSettings();
    const { database } = planMemory(settings.get(SETTINGS.execMemory));
    return planConfines(home, runFolder, database, settings.get(SETTINGS.execDisk));
  }

  return (
    { target, isStored = false, unrestricted = false }: RunRequest,
    execution: ExecutionRequest,
  ): ExecutionRequest | null => {
    if (unrestricted) return null;
    if (!isStored && !isInCatalog(target) && !hasCatalogModel(execution, services, principal)) return null;
    confines ??= plan();
    return confine(execution, confines);
  };
}

function isInCatalog(target: Target): boolean {
  return target.kind === 'script' || ('disk' in target && target.disk === null);
}

function hasCatalogModel(
  { semantic, generatedFor }: ExecutionRequest,
  { connections }: OpenHome['services'],
  principal: Principal,
): boolean {
  const name = semantic ?? generatedFor;
  return name !== undefined && connections.resolveSemantic(principal, name).isStored;
}

/** A part of the engine's message for a file that the restrictions hide, or that a relative path does not find. */
const HIDDEN_FILE = 'file system operations are disabled by configuration';
const RESTRICTED = 'Texts of the catalog run with the restrictions of a server.';
const LIFTED = 'If you trust this one, add `--unrestricted`';

/** Adds to a refusal of restricted text how the owner lifts the restriction; a server that ran it has explained it. */
export function explainRestriction(outcome: ExecutionOutcome, { files }: Home): ExecutionOutcome {
  if (outcome.status === 'done' || outcome.error.note !== undefined) return outcome;
  const { error } = outcome;
  const isHidden = error.message.includes(HIDDEN_FILE);
  if (error.code !== 'gate' && !isHidden) return outcome;
  const pathHint = isHidden ? `They read files in ${files}, which need an absolute path here.` : [];
  return { ...outcome, error: { ...error, note: [RESTRICTED, pathHint, LIFTED].flat().join(' ') } };
}
