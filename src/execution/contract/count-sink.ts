import type { Sink } from '../../engine/result/columns/sink.ts';

/** The same sink, of whose bytes `count` is told, those that another process writes as well. */
export function countSink(sink: Sink, count: (bytes: number) => void): Sink {
  return {
    write(bytes) {
      count(bytes.length);
      return sink.write(bytes);
    },
    async transferSocket() {
      const outlet = (await sink.transferSocket?.()) ?? null;
      if (outlet === null) return null;
      const { handle } = outlet;
      return {
        handle,
        count(bytes) {
          count(bytes);
          outlet.count(bytes);
        },
      };
    },
  };
}
