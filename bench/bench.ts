/** One figure: what we do against a peer, in turn, as a ratio of medians that should not pass `limit`. */
export interface Bench {
  readonly name: string;
  readonly limit: number;
  readonly runs: number;
  /** Each does its work once and returns what it cost, in milliseconds. */
  readonly ours: () => Promise<number>;
  readonly peer: () => Promise<number>;
  readonly peerName: string;
}

/** Runs both in turn, after one run each that does not count. */
export async function runBench(bench: Bench): Promise<{ readonly line: string; readonly ratio: number }> {
  await bench.ours();
  await bench.peer();
  const ours: number[] = [];
  const peer: number[] = [];
  for (let run = 0; run < bench.runs; run++) {
    ours.push(await bench.ours());
    peer.push(await bench.peer());
  }
  const ratio = median(ours) / median(peer);
  const verdict = ratio <= bench.limit ? 'met' : 'MISSED';
  const figures = `${median(ours).toFixed(1)} ms, ${bench.peerName} ${median(peer).toFixed(1)} ms`;
  return { ratio, line: `${bench.name}: ${ratio.toFixed(2)} (limit ${bench.limit}, ${verdict}); ${figures}` };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
