import type { RunRequest } from '../../workspace/api/workspace-api.ts';
import type { Workspace } from '../../workspace/instance/open-workspace.ts';
import type { CliContext } from '../context/context.ts';
import { EXIT, type ExitCode } from '../context/exit-codes.ts';
import { readQuestion } from '../options/read-question.ts';
import { reportOutcome } from '../print/report-outcome.ts';

/** The semantic query, as options of `quern semantic query`. */
const QUESTION = {
  dimensions: ['airports.state'],
  measures: ['routes.routes,routes.miles,flights.flights,flights.late_pct'],
  order: ['flights.flights:desc'],
  limit: 5,
} as const;
const CONNECTION = 'flights';
/** The same query as Semantic SQL. */
const SQL =
  'SELECT state, routes, miles, flights, late_pct FROM airports, routes, flights ORDER BY flights DESC LIMIT 5';

/**
 * Shows the sample model in the catalog folder `folder`: runs a query whose plain join would be wrong, as a semantic
 * query and in SQL, and prints the wrong result of that join.
 */
export async function askDemoModel(
  context: CliContext,
  workspace: Workspace,
  folder: string,
  say: (text: string) => Promise<void>,
): Promise<ExitCode> {
  const options = { model: folder, connection: 'duckdb' };
  workspace.connections.replace(workspace.principal, { name: CONNECTION, kind: 'semantic', options });
  const flags = Object.entries(QUESTION).map(([flag, value]) => `--${flag} ${value}`);
  await say(`\nHow many routes leave the busiest states, how many flights, and how many of these were late?`);
  await say(`$ quern semantic query ${flags.join(' ')}`);
  const { query } = await readQuestion(context, undefined, {
    ...QUESTION,
    filter: [],
    offset: undefined,
    strict: false,
  });
  const semantic = await workspace.openSemantic();
  const { sql, connection } = await semantic.prepare(
    workspace.principal,
    { kind: 'connection', name: CONNECTION },
    { query, strict: false },
  );
  const answered = await show(context, workspace, {
    target: { kind: 'sql', source: { name: 'question', text: sql }, isGenerated: true },
    connection,
    isQuestion: true,
  });
  if (answered !== EXIT.done) return answered;
  await say(`\nThe same in SQL, as BI tools ask:\n$ quern sql --connection ${CONNECTION} "${SQL}"`);
  const inSql = await show(context, workspace, {
    target: { kind: 'sql', source: { name: 'sql', text: SQL } },
    connection: CONNECTION,
  });
  if (inSql !== EXIT.done) return inSql;
  const naive = `${folder}/naive_join`;
  await say(
    `\nA plain join of the three tables gives wrong numbers without any error:\n$ quern exec ${naive}`,
  );
  const compared = await show(context, workspace, {
    target: { kind: 'script', path: naive },
    connection: 'duckdb',
  });
  if (compared !== EXIT.done) return compared;
  await say(
    'There, each flight counts once for every route from its airport, and each route once for every flight;\n' +
      'even the share of late flights is off. The model counts every row once; --sql shows how.',
  );
  return EXIT.done;
}

async function show(
  context: CliContext,
  workspace: Workspace,
  what: Pick<RunRequest, 'target' | 'connection' | 'isQuestion'>,
): Promise<ExitCode> {
  const encoder = context.stdout.isTerminal ? { width: context.stdout.width } : {};
  const request: RunRequest = { ...what, params: {}, overrides: {}, format: 'table', encoder };
  const outcome = await workspace.run(request, context.stdout, context.signal);
  await context.stdout.flush();
  return reportOutcome(context, outcome);
}
