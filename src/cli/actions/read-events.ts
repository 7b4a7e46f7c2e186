import type { Sink } from '../../engine/result/columns/sink.ts';

/** A sink that reads a value of JSON from each line. */
export function readEvents<Event>(take: (event: Event) => Promise<void>): Sink {
  let rest = Buffer.alloc(0);
  return {
    async write(bytes) {
      rest = Buffer.concat([rest, bytes]);
      for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n')) {
        const line = rest.toString('utf8', 0, end);
        rest = rest.subarray(end + 1);
        await take(JSON.parse(line));
      }
    },
  };
}
