/** What one run cost: wall and processor time in milliseconds, peak memory of the process in megabytes. */
export interface Figures {
  readonly wall: number;
  readonly cpu: number;
  readonly peak: number;
  /** The longest of several waits, where they were counted. */
  readonly longest?: number;
  /** For how long a server's own thread did nothing else, at the longest, where it was watched. */
  readonly stall?: number;
  /** Processor time that this thread took at once, at the most. */
  readonly turn?: number;
  /** Of `src`, that a request passes. */
  readonly files?: number;
  readonly functions?: number;
}

type Metric = keyof Figures;

/** One comparison: what we do against a peer, in turn, as ratios of medians that should not pass their limits. */
export interface Bench {
  readonly name: string;
  readonly peerName: string;
  readonly runs: number;
  /** One that needs no run that does not count. */
  readonly isWarm?: boolean;
  readonly ours: () => Promise<Figures>;
  /** Left out where every limit stands `alone`. */
  readonly peer?: () => Promise<Figures>;
  /** `most` null: a story, without a limit. `difference` compares by subtraction, `alone` with no peer. */
  readonly limits: readonly Limit[];
}

interface Limit {
  readonly metric: Metric;
  readonly most: number | null;
  readonly compare?: 'ratio' | 'difference' | 'alone';
}

/** One line of the table. */
export interface Row {
  readonly name: string;
  readonly value: string;
  readonly limit: string;
  /** How much of its limit a figure takes; 0 for a story. */
  readonly share: number;
  readonly detail: string;
}

const UNITS: Readonly<Record<Metric, string>> = {
  wall: 'ms',
  cpu: 'ms',
  peak: 'MB',
  longest: 'ms',
  stall: 'ms',
  turn: 'ms',
  files: 'files',
  functions: 'functions',
};

/** Runs both in turn, after one run each that does not count. */
export async function runBench(bench: Bench): Promise<readonly Row[]> {
  if (bench.isWarm !== true) {
    await bench.ours();
    await bench.peer?.();
  }
  const ours: Figures[] = [];
  const peer: Figures[] = [];
  for (let run = 0; run < bench.runs; run++) {
    ours.push(await bench.ours());
    if (bench.peer) peer.push(await bench.peer());
  }
  return bench.limits.map(({ metric, most, compare = 'ratio' }) => {
    const mine = median(ours.map((figures) => figures[metric] ?? Number.NaN));
    const theirs = median(peer.map((figures) => figures[metric] ?? Number.NaN));
    const value = COMPARE[compare](mine, theirs);
    const unit = UNITS[metric];
    const other = compare === 'alone' ? '' : `; ${bench.peerName} ${theirs.toFixed(0)} ${unit}`;
    return {
      name: `${bench.name}, ${metric}`,
      value: compare === 'ratio' ? value.toFixed(2) : `${value.toFixed(1)} ${unit}`,
      limit: most === null ? '–' : `≤ ${most}`,
      share: most === null ? 0 : value / most,
      detail: `${mine.toFixed(0)} ${unit}${other}`,
    };
  });
}

const COMPARE = {
  ratio: (mine: number, theirs: number) => mine / theirs,
  difference: (mine: number, theirs: number) => mine - theirs,
  alone: (mine: number) => mine,
} as const;

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
