import { makeHome, quern } from './quern.ts';
import type { ServerOptions } from './servers.ts';

/** Makes a home with the connection `db` to a server. */
export async function connectTo(kind: string, server: ServerOptions | null): Promise<string> {
  const cwd = await makeHome();
  const { password, ...options } = server!;
  const set = Object.entries(options).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const args = ['connection', 'create', 'db', '--kind', kind, ...set, '--secret', 'password=env:SECRET'];
  const { exitCode, stderr } = await quern(args, { cwd, env: { SECRET: password } });
  if (exitCode !== 0) throw new Error(String(stderr));
  return cwd;
}
