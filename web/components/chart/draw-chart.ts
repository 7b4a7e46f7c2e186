import * as Plot from '@observablehq/plot';
import type { ChartKind, SeriesLayout } from './chart-settings.ts';
import { findFloor, listMarks } from './list-marks.ts';
import { printClock, printNumber, printPercent, shorten, toColour } from './print-axis.ts';
import type { Point, Points } from './read-points.ts';
import { findTimeTicks, findUnit } from './time-ticks.ts';

/** The size and the names of a chart. */
export interface ChartFrame {
  readonly kind: Exclude<ChartKind, 'number'>;
  readonly layout: SeriesLayout;
  readonly isLog: boolean;
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly xLabel: string;
  readonly yLabel: string;
  /** What a screen reader says. */
  readonly label: string;
}

/** The characters of a bar's name that are drawn, at least and at most. */
const [MIN_NAME, MAX_NAME] = [6, 18];
/** The pixels of a bar's name that is drawn horizontally. */
const NAME_WIDTH = 64;
/** The pixels between the names of bars that are drawn at an angle. */
const TURNED_WIDTH = 18;
/** The pixels that a character of a name at this angle, in degrees, adds to its height. */
const [ANGLE, TURNED_HEIGHT] = [40, 4.4];
/** The pixels of a tick of time, and of a character of a label. */
const TIME_WIDTH = 84;
const CHARACTER = 7;
const MARGIN = 56;
/** The height of the ticks and the label of the x axis, without turned names, in pixels. */
const AXIS_HEIGHT = 44;
/** The distance of the label of the x axis from the lower edge, in pixels, with room for descenders. */
const LABEL_ROOM = 8;

/** Draws a chart. Its style sheet, which the Content-Security-Policy forbids, is in `chart.module.css` instead. */
export function drawChart(marks: Points, frame: ChartFrame): SVGSVGElement {
  const { series } = marks;
  const { width, height, label } = frame;
  const marginBottom = AXIS_HEIGHT + (frame.kind === 'bar' ? measureNames(marks, frame) : 0);
  const labelOffset = marginBottom - LABEL_ROOM;
  const across = { ...toXAxis(marks, frame), labelOffset };
  const drawn = Plot.plot({
    width,
    height,
    marginTop: 32,
    marginLeft: MARGIN,
    marginRight: marks.role === 'time' ? TIME_WIDTH / 2 : 20,
    marginBottom,
    ariaLabel: label,
    style: { background: 'transparent', overflow: 'visible' },
    color: {
      type: 'ordinal',
      domain: [...series],
      range: series.map((_, index) => toColour(index)),
      legend: false,
    },
    ...(isFaceted(frame)
      ? { fx: across, x: { axis: null, domain: [...series], padding: 0 } }
      : { x: across }),
    y: toYAxis(marks, frame),
    marks: listMarks(frame, marks),
  });
  if (!(drawn instanceof SVGSVGElement)) throw new Error('the chart is not one picture');
  for (const style of drawn.querySelectorAll('style')) style.remove();
  // A picture has one name; its groups have no role that could have one.
  for (const part of drawn.querySelectorAll('[aria-label]')) {
    part.setAttribute('data-mark', part.getAttribute('aria-label') ?? '');
    part.removeAttribute('aria-label');
  }
  drawn.setAttribute('role', 'img');
  return drawn;
}

function isFaceted({ kind, layout }: ChartFrame): boolean {
  return kind === 'bar' && layout === 'grouped';
}

function toYAxis({ points }: Points, { kind, layout, isLog, width, yLabel }: ChartFrame): Plot.ScaleOptions {
  const label = shorten(yLabel, Math.floor((width - MARGIN) / CHARACTER));
  const common = { label, grid: true, nice: true } as const;
  if (isLog) {
    const values = points.map(({ y }) => y);
    const highest = values.reduce((high, value) => Math.max(high, value), 1);
    return { ...common, type: 'log', domain: [findFloor(values), highest], tickFormat: printPower };
  }
  if ((kind === 'bar' || kind === 'area') && layout === 'percent')
    return { ...common, domain: [0, 1], tickFormat: printPercent };
  return {
    ...common,
    tickFormat: printNumber,
    zero: kind === 'histogram' || kind === 'bar' || kind === 'area',
  };
}

/** Only powers of ten have a text: those between them would overlap. */
function printPower(value: number): string {
  const power = Math.log10(value);
  return Math.abs(power - Math.round(power)) < 1e-9 ? printNumber(value) : '';
}

function toXAxis(marks: Points, frame: ChartFrame): Plot.ScaleOptions {
  const label = shorten(frame.xLabel, Math.floor((frame.width - MARGIN) / CHARACTER));
  if (frame.kind === 'bar') return { label, ...toNamesAxis(marks, frame) };
  const { points, bins, role } = marks;
  const most = Math.max(2, Math.floor((frame.width - MARGIN) / TIME_WIDTH));
  if (role === 'clock') return { label, type: 'utc', tickFormat: printClock };
  if (role === 'time') {
    const times = points.length > 0 ? points.map(({ x }) => toDate(x)) : bins.map(({ from }) => toDate(from));
    return { label, type: 'utc', ...toTimeTicks(times, frame.kind, most) };
  }
  return { label, ...toNumberTicks(points, most) };
}

function toTimeTicks(times: readonly Date[], kind: ChartFrame['kind'], most: number): Plot.ScaleOptions {
  // The bars of a histogram do not begin at whole months.
  const unit = kind === 'histogram' ? null : findUnit(times);
  if (unit === null || times.length === 0) return {};
  const { ticks, print } = findTimeTicks(times, unit, most);
  return { ticks: [...ticks], tickFormat: print };
}

function toDate(x: Point['x']): Date {
  return x instanceof Date ? x : new Date(x);
}

/** Integers have ticks at integers; years have no separator of thousands. */
function toNumberTicks(points: readonly Point[], most: number): Plot.ScaleOptions {
  const values = points.map(({ x }) => Number(x));
  if (values.length === 0 || !values.every(Number.isInteger)) return { tickFormat: printNumber };
  const [low, high] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  const areYears = low >= 1_000 && high < 3_000;
  const tickFormat = areYears ? (value: number) => String(value) : printNumber;
  if (high - low > most * 2) return { tickFormat };
  const step = Math.max(1, Math.ceil((high - low + 1) / most));
  const ticks = Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, at) => low + at * step);
  return { ticks, tickFormat };
}

/** The axis of bars; where there are too many names, some are left out. */
function toNamesAxis(marks: Points, frame: ChartFrame): Plot.ScaleOptions {
  const domain = listNames(marks.points);
  const every = Math.ceil((domain.length * TURNED_WIDTH) / (frame.width - MARGIN));
  return {
    type: 'band',
    domain,
    tickFormat: (name: string) => shorten(name, limitName(frame)),
    ticks: domain.filter((_, at) => at % every === 0),
    ...(isNarrow(marks, frame) ? { tickRotate: -ANGLE } : {}),
  };
}

/** The height of turned names, in pixels; 0 if they are not turned. */
function measureNames(marks: Points, frame: ChartFrame): number {
  if (!isNarrow(marks, frame)) return 0;
  const longest = listNames(marks.points).reduce((length, name) => Math.max(length, name.length), 0);
  return Math.min(limitName(frame), longest) * TURNED_HEIGHT;
}

/** The characters of names that leave most of the height to the bars. */
function limitName({ height }: ChartFrame): number {
  return Math.max(MIN_NAME, Math.min(MAX_NAME, Math.floor(height / 3 / TURNED_HEIGHT)));
}

/** Whether the names of bars do not fit next to each other. */
function isNarrow({ points }: Points, { width }: ChartFrame): boolean {
  return (width - MARGIN) / Math.max(1, listNames(points).length) < NAME_WIDTH;
}

/** The names of bars, in their order. */
function listNames(points: readonly Point[]): string[] {
  return [...new Set(points.map(({ x }) => String(x)))];
}
