import type { FastifyBaseLogger } from 'fastify';
import type { Instance } from '../../workspace/instance/instance.ts';

/** How often is looked whether a day has gone by, in milliseconds. */
const LOOK_EVERY_MS = 60 * 60_000;

/**
 * Reads the metadata of the identity provider daily where its settings say so (identity 4), from now on. What an
 * administrator should know of it goes to the log. Returns how to stop it.
 */
export function refreshDaily(instance: Instance, log: FastifyBaseLogger): () => void {
  let isStopped = false;
  const look = async () => {
    try {
      await refresh(instance, log);
    } catch (error) {
      // What was under way at the end finds the home closed.
      if (!isStopped) log.error({ err: error }, 'metadata of the identity provider were not refreshed');
    }
  };
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  void look();
  return () => {
    isStopped = true;
    clearInterval(timer);
  };
}

async function refresh(instance: Instance, log: FastifyBaseLogger): Promise<void> {
  const outcome = await instance.refreshMetadata();
  if (outcome === null) return;
  const { kind, url, text } = outcome;
  if (kind === 'failed') log.warn({ url, reason: text }, 'metadata of the identity provider cannot be read');
  if (kind === 'waiting') {
    log.warn({ url }, 'metadata of the identity provider have changed, and wait: see `quern sso saml show`');
  }
  if (kind === 'applied') log.warn({ url }, 'changed metadata of the identity provider were applied');
}
