import type { FastifyBaseLogger } from 'fastify';
import type { Instance } from '../../workspace/instance/instance.ts';

/** How often the server checks whether a refresh is due, in milliseconds. */
const LOOK_EVERY_MS = 60 * 60_000;

/**
 * Refreshes the metadata of the identity provider daily, if its settings say so
 * (docs/reference/saml.md#metadata-from-a-url). Changes and failures go to the log. Returns a function that stops it.
 */
export function refreshDaily(instance: Instance, log: FastifyBaseLogger): () => void {
  let isStopped = false;
  const look = async () => {
    try {
      await refresh(instance, log);
    } catch (error) {
      // A refresh that is still running when the server stops finds the home closed.
      if (!isStopped) log.error({ err: error }, 'metadata of the identity provider was not refreshed');
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
    log.warn(
      { url },
      'metadata of the identity provider has changed and is not applied: see `quern sso saml show`',
    );
  }
  if (kind === 'applied') log.warn({ url }, 'changed metadata of the identity provider was applied');
}
