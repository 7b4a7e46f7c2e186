import type {
  Connection,
  ConnectionSpec,
  Driver,
  NoteQueued,
} from '../../engine/connection/contract/connection.ts';
import type { Translate } from '../../engine/connection/contract/translate.ts';
import type { Warn } from '../../engine/text/diagnostic.ts';
import { present } from '../../invariants/must.ts';
import type { ExecutionRequest } from '../contract/request.ts';
import type { SessionLimits } from './session-limits.ts';

/** The sessions of one execution; on a semantic connection they accept Semantic SQL. */
export interface Sessions {
  /**
   * Opens the first session as soon as the limit of the connection allows it; `createsSchema` is that of
   * `ConnectionSpec`. Rejects with a DatabaseError.
   */
  connect(createsSchema?: boolean): Promise<Connection>;
  /** Opens another session; null when the limit of the connection is reached. Rejects with a DatabaseError. */
  connectMore(): Promise<Connection | null>;
  /** Closes all sessions; never rejects. */
  close(): Promise<void>;
}

/** The means to open sessions. */
interface SessionTools {
  readonly driver: Driver;
  readonly sessionLimits: SessionLimits;
  /** For a request on a semantic connection. */
  readonly translate: Translate | undefined;
  readonly warn: Warn;
  readonly signal: AbortSignal;
  readonly noteQueued: NoteQueued;
}

/** What opening sessions needs to know of a request. */
interface SessionRequest extends Pick<ExecutionRequest, 'connection' | 'owner' | 'semantic'> {
  readonly limits: Pick<ExecutionRequest['limits'], 'maxSessions'>;
}

export function createSessions(
  { connection, owner, limits, semantic }: SessionRequest,
  { driver, sessionLimits, translate, warn, signal, noteQueued }: SessionTools,
): Sessions {
  const open: { readonly session: Connection; readonly release: () => void }[] = [];
  const noteOfSession = shareNotes(noteQueued);
  const wanted = { connection: connection.name, owner, max: limits.maxSessions };

  async function openOne(release: () => void, createsSchema = false): Promise<Connection> {
    try {
      const opened = await driver.connect({ ...connection, createsSchema }, signal, noteOfSession());
      const session = connection.level === 'READ' ? await readWith(opened, driver, connection) : opened;
      open.push({ session, release });
      return semantic === undefined ? session : await translateFor(session, present(translate), warn);
    } catch (error) {
      release();
      throw error;
    }
  }

  return {
    connect: async (createsSchema) => openOne(await sessionLimits.enter(wanted, signal), createsSchema),
    async connectMore() {
      const release = sessionLimits.tryEnter(wanted);
      return release === null ? null : openOne(release);
    },
    async close() {
      for (const { session, release } of open) {
        await session.close();
        release();
      }
    },
  };
}

/** Combines the notes of several sessions: `note` receives whether at least one of them waits. */
function shareNotes(note: NoteQueued): () => NoteQueued {
  const waiting = new Set<NoteQueued>();
  return () => {
    const noteOwn = (isQueued: boolean) => {
      const before = waiting.size;
      if (isQueued) waiting.add(noteOwn);
      else waiting.delete(noteOwn);
      if (waiting.size === 0 || before === 0) note(waiting.size > 0);
    };
    return noteOwn;
  };
}

async function readWith(
  opened: Connection,
  { readRules }: Driver,
  { name, mayPublish = false }: ConnectionSpec,
): Promise<Connection> {
  const { createReadingConnection } = await import('../../engine/connection/reading/reading-connection.ts');
  return createReadingConnection(opened, readRules, { name, mayPublish });
}

async function translateFor(own: Connection, translate: Translate, warn: Warn): Promise<Connection> {
  const { createTranslatingConnection } = await import(
    '../../engine/connection/semantic/translating-connection.ts'
  );
  return createTranslatingConnection(own, translate, warn);
}
