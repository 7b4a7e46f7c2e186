import type { FastifyBaseLogger } from 'fastify';
import type { Instance } from '../../workspace/instance/instance.ts';

/** How often the server looks for items that the bin does not keep any more, in milliseconds. */
const LOOK_EVERY_MS = 10 * 60_000;

/**
 * Removes from the bin what it does not keep any more (docs/reference/bin.md#how-long-items-are-kept), now and
 * regularly. Failures go to the log. Returns a function that stops it.
 */
export function emptyBinRegularly({ bin }: Pick<Instance, 'bin'>, log: FastifyBaseLogger): () => void {
  let isStopped = false;
  let isRunning = false;
  const look = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await bin.removeOverdue();
    } catch (error) {
      // A removal that is still running when the server stops finds the home closed.
      if (!isStopped) log.error({ err: error }, 'the bin was not emptied');
    } finally {
      isRunning = false;
    }
  };
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  void look();
  return () => {
    isStopped = true;
    clearInterval(timer);
  };
}
