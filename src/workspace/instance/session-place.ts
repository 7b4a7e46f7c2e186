import { createNanoClock } from '../../engine/run/outcome/clock.ts';
import type { Lasting } from '../../execution/contract/lasting.ts';
import type { InThreadHost } from '../../execution/in-thread/in-thread.ts';
import { createReadersFolder, type Home, homeAt, removeFolder } from '../home/home.ts';
import { callServer } from '../services/call-server.ts';

/** What the commands of one workspace, or all statements of an interactive session, share on a home. */
export interface SessionPlace {
  /** The folder for temporary files of this process. */
  readonly runFolder: string;
  /** The host of this process, loaded on demand, because most commands run no SQL. */
  readonly host: { get(): Promise<InThreadHost> };
  /** Whether the database session of an interactive session is open in this process. */
  hasSession(lasting: Lasting | undefined): Promise<boolean>;
  /**
   * Has the server of the home keep the database session of an interactive session of a user; returns the session, which
   * has no id if the server cannot keep it. Null without a server.
   */
  keepOnServer(user: string, lasting: Lasting): Promise<Lasting | null>;
  /** Ends the database session of an interactive session. Never rejects. */
  endSession(id: string): Promise<void>;
  /** Stops running work and releases all resources. */
  close(): Promise<void>;
  /** Removes temporary files synchronously when the process is about to end. */
  abandon(): void;
}

/** Creates the folder and the host of a process on a home. */
export function openSessionPlace(folder: string): SessionPlace {
  const home = homeAt(folder);
  const runFolder = createReadersFolder(home);
  let made: Promise<InThreadHost> | undefined;
  /** The calls that keep sessions on the server, by id; each lasts as long as its session. */
  const calls = new Map<string, AbortController>();
  const abandon = () => removeFolder(runFolder);
  const leaveServer = (id: string) => {
    calls.get(id)?.abort();
    calls.delete(id);
  };
  return {
    runFolder,
    host: {
      get() {
        made ??= makeHost();
        return made;
      },
    },
    hasSession: async (lasting) => lasting?.id != null && (await made)?.hasSession(lasting.id) === true,
    async keepOnServer(user, lasting) {
      const { id } = lasting;
      if (id === null || calls.has(id)) return lasting;
      const call = await startKeeping(home, user, id, () => calls.delete(id));
      if (call instanceof AbortController) calls.set(id, call);
      return call === null ? null : { ...lasting, id: call === 'refused' ? null : id };
    },
    async endSession(id) {
      leaveServer(id);
      await (await made)?.endSession(id);
    },
    async close() {
      for (const id of calls.keys()) leaveServer(id);
      await (await made)?.close();
      abandon();
    },
    abandon,
  };
}

/** Calls the server until a session ends; `refused` if the server keeps no further session, null without a server. */
async function startKeeping(
  home: Home,
  user: string,
  input: string,
  onEnd: () => void,
): Promise<AbortController | 'refused' | null> {
  const call = new AbortController();
  const kept = Promise.withResolvers<void>();
  const sink = { write: () => kept.resolve() };
  const ended = callServer(home, 'keep-session', { user, input }, { sink, signal: call.signal });
  ended.then(onEnd, onEnd);
  return Promise.race([
    kept.promise.then(() => call),
    ended.then((answer) => (answer === null ? null : ('refused' as const))),
  ]);
}

async function makeHost(): Promise<InThreadHost> {
  const { createInThreadHost } = await import('../../execution/in-thread/in-thread.ts');
  return createInThreadHost(createNanoClock());
}
