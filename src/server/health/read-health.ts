import type { HealthPartBody } from '../../workspace/api/status-body.ts';
import { toHealth } from '../../workspace/instance/home-status.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { serverErrors } from '../http/errors.ts';
import type { LogState } from '../log/log.ts';

/** The health of each part of a server, with the reasons for any state but `ok`. */
export function readHealth(instance: Instance, logState: LogState | undefined): readonly HealthPartBody[] {
  const log = logState?.isFailing === true ? [printLogWarning(logState)] : [];
  return [
    readCatalog(instance),
    readEngine(instance),
    toHealth('log', log),
    toHealth('disk', instance.listDiskWarnings()),
  ];
}

function readCatalog(instance: Instance): HealthPartBody {
  try {
    instance.checkReady();
    return toHealth('catalog', []);
  } catch {
    return { part: 'catalog', state: 'failed', reasons: [serverErrors.homeUnusable().detail] };
  }
}

function readEngine({ executions }: Instance): HealthPartBody {
  const state = executions?.readEngine();
  if (state === 'failed')
    return { part: 'engine', state: 'failed', reasons: [serverErrors.engineFailed().detail] };
  return toHealth('engine', state === 'restarting' ? ['the engine process is starting again'] : []);
}

function printLogWarning({ dropped }: LogState): string {
  const lost = dropped === 0 ? '' : `: ${dropped} ${dropped === 1 ? 'line was' : 'lines were'} dropped`;
  return `the log cannot be written${lost}`;
}
