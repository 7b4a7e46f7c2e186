import { cp, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FolderType } from '../../catalog/body.ts';
import { explainFileError } from '../../errors/explain-file-error.ts';
import { makeFolder } from '../../errors/make-folder.ts';
import { quoteArgument } from '../../errors/quote-argument.ts';
import { present } from '../../invariants/must.ts';
import { SETTINGS } from '../../settings/table.ts';
import type { RunRequest } from '../../workspace/api/workspace-api.ts';
import { PACKAGE_ROOT } from '../../workspace/home/package-root.ts';
import type { Workspace } from '../../workspace/instance/open-workspace.ts';
import { askDemoModel } from '../actions/ask-demo-model.ts';
import { findItem, splitPath } from '../actions/find-item.ts';
import { putAsset } from '../actions/put-asset.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT, type ExitCode } from '../context/exit-codes.ts';
import { reportOutcome } from '../print/report-outcome.ts';
import { printTests } from '../reporters/list.ts';
import type { RunCommand } from '../table/commands.ts';
import { SAMPLE_FOLDER } from '../table/sample-folder.ts';

const SAMPLE = path.join(PACKAGE_ROOT, 'fixtures/demo');
const CATALOG_FOLDER = '@Shared/flights';
/** The script that `quern ui` opens. */
const FIRST_SCRIPT = `${CATALOG_FOLDER}/delays_by_month`;
/** The folders in the project. */
const FOLDERS = ['semantic'];
const TABLES = { airports: ['airports.csv', 'csv'], flights: ['flights.parquet', 'parquet'] } as const;
const QUESTION = {
  path: `${CATALOG_FOLDER}/worst_airports`,
  params: { month: '2001-06', min_flights: '1000' },
} as const;

/** `quern demo`: creates a folder with the sample project and a home with its data, and runs a first query. */
export const run: RunCommand<'demo'> = async (context, { args }) => {
  const folder = path.resolve(context.cwd, args[0] ?? SAMPLE_FOLDER);
  const say = (text: string) => context.notices.write(`${text}\n`);
  await writeSample(folder);
  const home = path.join(folder, '.quern');
  const { createHome, hasHome } = await import('../../workspace/setup/create-home.ts');
  if (!hasHome(home)) await createHome(home, { userName: 'admin', email: undefined, password: null });
  const { setSetting } = await import('../../workspace/home/set-setting.ts');
  setSetting(home, SETTINGS.uiScript, FIRST_SCRIPT);
  await say(`wrote the sample project to ${folder}`);
  const shown: CliContext = Object.create(context, { home: { value: home } });
  const code = await withWorkspace(shown, async (workspace) => {
    await putScripts(workspace, path.join(SAMPLE, 'project'));
    await say(`stored its scripts in the catalog, below ${CATALOG_FOLDER}`);
    const loaded = await loadTables(shown, workspace, path.join(folder, 'data'), say);
    const answered = loaded === EXIT.done ? await askQuestion(shown, workspace, say) : loaded;
    const answerCode =
      answered === EXIT.done ? await askDemoModel(shown, workspace, CATALOG_FOLDER, say) : answered;
    return answerCode === EXIT.done ? runNightly(shown, workspace, say) : answerCode;
  });
  if (code !== EXIT.done) return code;
  await say(nextSteps(context, path.relative(context.cwd, folder) || '.'));
  return code;
};

/** Writes the files of the sample; does not change a folder with other contents. */
async function writeSample(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const manifest = await readFile(path.join(folder, 'project', 'project.toml'), 'utf8').catch(() => '');
  if (names.length > 0 && !/^name = "demo\/flights"$/m.test(manifest)) {
    throw new UsageError(`${folder} has other files: name another folder`);
  }
  try {
    makeFolder(folder);
    await cp(SAMPLE, folder, { recursive: true });
  } catch (error) {
    throw new UsageError(`cannot write ${folder}: ${explainFileError(error)}`);
  }
}

async function putScripts(workspace: Workspace, folder: string): Promise<void> {
  ensureFolder(workspace, CATALOG_FOLDER, 'PROJECT');
  for (const folderPath of FOLDERS) ensureFolder(workspace, `${CATALOG_FOLDER}/${folderPath}`, 'REGULAR');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  for (const file of files.map(({ parentPath, name }) => path.join(parentPath, name)).sort()) {
    const name = path
      .relative(folder, file)
      .replaceAll(path.sep, '/')
      .replace(/\.sql$/, '');
    putAsset(workspace, `${CATALOG_FOLDER}/${name}`, await readFile(file, 'utf8'), {});
  }
}

function ensureFolder(workspace: Workspace, at: string, type: FolderType): void {
  if (findItem(workspace, at)) return;
  const { parent, name } = splitPath(at);
  workspace.catalog.createFolder(workspace.principal, { parentPath: parent, name, folderType: type });
}

async function loadTables(
  context: CliContext,
  workspace: Workspace,
  folder: string,
  say: (text: string) => Promise<void>,
): Promise<ExitCode> {
  for (const [table, [file, format]] of Object.entries(TABLES)) {
    const data = path.join(folder, file);
    const inputs = [{ name: file, origin: data, path: data }];
    const request = {
      tables: [{ table, inputs }],
      format,
      settings: {},
      mode: 'replace',
      isDryRun: false,
      isEach: false,
      connection: 'duckdb',
    } as const;
    const outcome = await workspace.load(request, context.signal);
    if (outcome.status === 'failed') return reportOutcome(context, outcome);
    const [loaded] = outcome.tables;
    const columns = present(loaded)
      .columns.map(({ name, type }) => `${name} ${type}`)
      .join(', ');
    await say(`loaded ${present(loaded).rows.toLocaleString('en')} rows into ${table} (${columns})`);
  }
  return EXIT.done;
}

async function askQuestion(
  context: CliContext,
  workspace: Workspace,
  say: (text: string) => Promise<void>,
): Promise<ExitCode> {
  const flags = Object.entries(QUESTION.params).map(([name, value]) => `--param ${name}=${value}`);
  await say(`\n$ quern exec ${QUESTION.path} ${flags.join(' ')}`);
  const request: RunRequest = {
    target: { kind: 'script', path: QUESTION.path },
    params: QUESTION.params,
    connection: 'duckdb',
    overrides: {},
    format: 'table',
    encoder: context.stdout.isTerminal ? { width: context.stdout.width } : {},
  };
  const outcome = await workspace.run(request, context.stdout, context.signal);
  await context.stdout.flush();
  return reportOutcome(context, outcome);
}

/** Publishes the table of the sample and runs its tests. */
async function runNightly(
  context: CliContext,
  workspace: Workspace,
  say: (text: string) => Promise<void>,
): Promise<ExitCode> {
  const path = `${CATALOG_FOLDER}/nightly`;
  await say(`\n$ quern exec ${path}`);
  const request = { target: { kind: 'script', path }, params: {}, overrides: {}, format: 'table' } as const;
  const outcome = await workspace.run(request, context.stdout, context.signal);
  if (outcome.status === 'failed') return reportOutcome(context, outcome);
  await printTests(context, outcome.tests ?? []);
  await context.stdout.flush();
  return EXIT.done;
}

function nextSteps({ env }: CliContext, folder: string): string {
  const quern = env.npm_command === 'exec' ? 'npx quern' : 'quern';
  return `
Try next:
  cd ${quoteArgument(folder)}
  ${quern} catalog ls ${CATALOG_FOLDER}
  ${quern} exec ${CATALOG_FOLDER}/busiest_routes --param origin=ORD
  ${quern} semantic explore
  ${quern} build
  ${quern} lineage --format html --output lineage.html
  ${quern} test project --param strict=true
  ${quern} compile project/nightly.sql
  ${quern} sql "SELECT state, count(*) AS airports FROM airports GROUP BY ALL ORDER BY ALL DESC LIMIT 5"
  ${quern} ui                     # opens a script with its chart in a browser; \`${quern} serve\` shares the home over HTTP
  ${quern} --help`;
}
