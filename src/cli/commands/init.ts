import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SETTINGS } from '../../settings/table.ts';
import { makeHome } from '../actions/make-home.ts';
import { refuseUser } from '../actions/refuse-user.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern init`: creates a home with its first administrator, and a small project next to it. */
export const run: RunCommand<'init'> = async (context, { args, options }) => {
  refuseUser(context, 'a new home has only its administrator');
  const folder = path.resolve(context.cwd, args[0] ?? '.');
  const { findHome, isHomeNamed } = await import('../../workspace/home/find-home.ts');
  const search = { ...context, cwd: folder, flag: context.home };
  // A folder that is given to this command precedes the variable.
  const isInFolder = context.home === undefined && (args[0] !== undefined || !isHomeNamed(search));
  const home = isInFolder ? path.join(folder, '.quern') : findHome({ ...search, cwd: context.cwd });
  const { hasHome } = await import('../../workspace/setup/create-home.ts');
  if (hasHome(home)) throw new UsageError(`a home already exists in ${home}; nothing was changed`);
  const userName = options.admin ?? 'admin';
  const email = options.adminEmail;
  await makeHome(context, home, { userName, email, mayAsk: true });
  if (!options.empty) await createProject(context, folder);
  const used = isInFolder ? findHome(search) : home;
  if (used !== home)
    await context.notices.write(`note: ${SETTINGS.home.variable} names another home, ${used}\n`);
  return EXIT.done;
};

async function createProject(context: CliContext, folder: string): Promise<void> {
  const name = path.basename(folder).replace(/[^\w.-]+/g, '-') || 'project';
  const files: Readonly<Record<string, string>> = {
    'project.toml': `[general]
name = "${name}"
version = "0.1.0"

[environment]
default = "local"

[environment.local]
name = "Local"
connection = { name = "duckdb" }
`,
    'hello.sql': `-- Run it: quern exec hello.sql
SELECT 'Hello, world!' AS greeting;
`,
  };
  await mkdir(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    const target = path.join(folder, file);
    if (existsSync(target)) continue;
    await writeFile(target, text, { flag: 'wx' });
    await context.notices.write(`wrote ${path.relative(context.cwd, target) || file}\n`);
  }
}
