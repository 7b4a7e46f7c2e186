/** The cost of one run: wall and processor time in milliseconds, peak memory of the process in megabytes. */
export interface Figures {
  readonly wall: number;
  readonly cpu: number;
  readonly peak: number;
  /** The longest of several waits, if the run measures waits. */
  readonly longest?: number;
  /** The longest time for which the main thread of a watched server was blocked. */
  readonly stall?: number;
  /** The most processor time that this thread used without a pause. */
  readonly turn?: number;
  /** Wall time for a row, in nanoseconds. */
  readonly row?: number;
  /** Kilobytes. */
  readonly size?: number;
  /** The files and functions of `src` that a request uses. */
  readonly files?: number;
  readonly functions?: number;
}

type Metric = keyof Figures;

const COUNTS: readonly Metric[] = ['files', 'functions'];

/** A comparison of Quern with a peer, which run in turn: ratios of medians, with limits. */
export interface Bench {
  readonly name: string;
  readonly peerName: string;
  readonly runs: number;
  /** Whether the bench needs no warm-up run. */
  readonly isWarm?: boolean;
  readonly ours: () => Promise<Figures>;
  /** Missing if every limit is `alone`. */
  readonly peer?: () => Promise<Figures>;
  /** `most` null: for information, without a limit. `difference` subtracts the peer; `alone` has no peer. */
  readonly limits: readonly Limit[];
}

interface Limit {
  readonly metric: Metric;
  readonly most: number | null;
  readonly compare?: 'ratio' | 'difference' | 'alone';
}

/** A row of the table. */
export interface Row {
  readonly name: string;
  readonly value: string;
  readonly limit: string;
  /** The figure divided by its limit; 0 without a limit. */
  readonly share: number;
  /** Whether it is the same on each machine, so that its limit has no tolerance. */
  readonly isCount: boolean;
  readonly detail: string;
}

const UNITS: Readonly<Record<Metric, string>> = {
  wall: 'ms',
  cpu: 'ms',
  peak: 'MB',
  longest: 'ms',
  stall: 'ms',
  turn: 'ms',
  row: 'ns',
  size: 'KB',
  files: 'files',
  functions: 'functions',
};

/** Runs both in turn, after a warm-up run of each. */
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
      isCount: COUNTS.includes(metric),
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
