import { onTestFinished } from 'vitest';
import type { ConnectionSpec } from '../../../../src/engine/connection/contract/connection.ts';
import type { BuildEvent } from '../../../../src/engine/run/build/build.ts';
import { createNanoClock } from '../../../../src/engine/run/outcome/clock.ts';
import type { ExecutionOutcome } from '../../../../src/execution/contract/outcome.ts';
import type { ExecutionRequest } from '../../../../src/execution/contract/request.ts';
import { createInThreadHost } from '../../../../src/execution/in-thread/in-thread.ts';
import { never, runOn, toRequest } from '../../../execution/hosts.ts';
import { makeFolder } from '../../../support/quern.ts';
import { toSnapshot } from '../script-session.ts';

/** The scripts of each package of a project; the packages are `acme/NAME`. */
export type Packages = Readonly<Record<string, string>>;

export interface BuildChoice {
  readonly mode?: 'run' | 'plan' | 'offline';
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly parallel?: number;
  readonly failFast?: boolean;
  readonly fullRefresh?: boolean;
  readonly signal?: AbortSignal;
  readonly environment?: ExecutionRequest['environment'];
  readonly params?: ExecutionRequest['params'];
}

export interface Built {
  readonly outcome: ExecutionOutcome;
  readonly events: readonly BuildEvent[];
}

/** A snapshot that needs all of its packages. */
export function toProject(packages: Packages) {
  const scripts = Object.entries(packages).map(([id, text]) => [id, { [`${id}/all.sql`]: text }] as const);
  const { main = '', ...others } = Object.fromEntries(scripts);
  const snapshot = toSnapshot(main, others);
  return { ...snapshot, needs: [{ id: 'main' }, ...Object.keys(others).map((id) => ({ id }))] as const };
}

const toSelector = (typed: string) => ({ typed, name: typed });

export function toSelection(packages: Packages, { include = [], exclude = [] }: BuildChoice) {
  return {
    packages: Object.keys({ main: '', ...packages }),
    include: include.map(toSelector),
    exclude: exclude.map(toSelector),
  };
}

/** Builds projects in one database, which ends with the test: a file of DuckDB, or `connection`. */
export function openBuilds(connection?: ConnectionSpec) {
  const folder = makeFolder();
  const host = createInThreadHost(createNanoClock());
  onTestFinished(() => host.close());
  const toBuildRequest = (work: Parameters<typeof toRequest>[2]) => {
    const request = toRequest('', folder, { file: `${folder}/own.duckdb`, format: 'json', ...work });
    return connection === undefined ? request : { ...request, connection };
  };
  /** The lines of the answer of a build or a plan. */
  async function list<Line>(packages: Packages, choice: BuildChoice = {}) {
    const { mode = 'run', parallel = 1, failFast = false, fullRefresh = false, signal = never } = choice;
    const selection = toSelection(packages, choice);
    const snapshot = toProject(packages);
    const work = { kind: 'build', mode, snapshot, selection, parallel, failFast, fullRefresh } as const;
    const { environment, params = {} } = choice;
    const request = { ...toBuildRequest({ work, params }), environment };
    const { outcome, output } = await runOn(host, request, signal);
    const lines = output.toString().split('\n').slice(0, -1);
    return { outcome, lines: lines.map((line): Line => JSON.parse(line)) };
  }
  return {
    folder,
    list,
    async build(packages: Packages, choice: BuildChoice = {}): Promise<Built> {
      const { outcome, lines } = await list<BuildEvent>(packages, choice);
      return { outcome, events: lines };
    },
    /** Runs the plain statements of the first package. */
    async run(packages: Packages, params: ExecutionRequest['params']): Promise<ExecutionOutcome> {
      const work = { kind: 'script', snapshot: toProject(packages), file: 'main/all.sql' } as const;
      return (await runOn(host, toBuildRequest({ work, params }))).outcome;
    },
    async query(text: string): Promise<readonly (readonly unknown[])[]> {
      const work = { kind: 'sql', source: { name: 'test.sql', text } } as const;
      const { outcome, output } = await runOn(host, toBuildRequest({ work }));
      if (outcome.status === 'failed') throw new Error(outcome.error.message);
      return JSON.parse(output.toString()).result.data;
    },
  };
}

/** An event in one line: what ended, and how. */
export function printBuildEvent(event: BuildEvent): string {
  if (event.kind === 'target') {
    const { status, name, action, because } = event.target;
    return [status, name, action ?? because].filter(Boolean).join(' ');
  }
  const { status, test_name: name, because } = event.test;
  return [status, name, because].filter(Boolean).join(' ');
}
