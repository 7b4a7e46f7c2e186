import * as Plot from '@observablehq/plot';
import { printCount } from '../catalog/view/print-size.ts';
import type { ChartKind } from './chart-settings.ts';
import type { Point, Points } from './read-points.ts';

/** The size and the names of a chart. */
export interface ChartFrame {
  readonly kind: Exclude<ChartKind, 'number'>;
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly xLabel: string;
  readonly yLabel: string;
  /** What a screen reader says. */
  readonly label: string;
}

const TICK_LENGTH = 18;
/** The pixels of a bar's name that is drawn horizontally. */
const NAME_WIDTH = 64;
/** The pixels between the names of bars that are drawn at an angle. */
const TURNED_WIDTH = 18;
const MARGIN = 56;
/** The distance of the label of the x axis from the lower edge, in pixels, with room for descenders. */
const LABEL_ROOM = 8;

/** The colour of a series, by its place. */
export function toColour(index: number): string {
  return `var(--quern-data-${index + 1})`;
}

/** Draws a chart. Its style sheet, which the Content-Security-Policy forbids, is in `chart.module.css` instead. */
export function drawChart(marks: Points, frame: ChartFrame): SVGSVGElement {
  const { series } = marks;
  const { kind, width, height, yLabel, label } = frame;
  const marginBottom = kind === 'bar' && isNarrow(marks, frame) ? 96 : 44;
  const isFromZero = kind === 'histogram' || kind === 'bar' || kind === 'area';
  const drawn = Plot.plot({
    width,
    height,
    marginTop: 32,
    marginLeft: MARGIN,
    marginBottom,
    ariaLabel: label,
    style: { background: 'transparent', overflow: 'visible' },
    color: {
      type: 'ordinal',
      domain: [...series],
      range: series.map((_, index) => toColour(index)),
      legend: false,
    },
    x: {
      ...(kind === 'bar' ? toNamesAxis(marks, frame) : toAxis(marks, frame)),
      labelOffset: marginBottom - LABEL_ROOM,
    },
    y: { label: yLabel, grid: true, nice: true, tickFormat: printNumber, zero: isFromZero },
    marks: listMarks(kind, marks),
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

/** The axis of bars; where there are too many names, some are left out. */
function toNamesAxis(marks: Points, frame: ChartFrame): Plot.ScaleOptions {
  const domain = listNames(marks.points);
  const every = Math.ceil((domain.length * TURNED_WIDTH) / (frame.width - MARGIN));
  return {
    type: 'band',
    label: frame.xLabel,
    domain,
    tickFormat: shorten,
    ticks: domain.filter((_, at) => at % every === 0),
    ...(isNarrow(marks, frame) ? { tickRotate: -40 } : {}),
  };
}

/** Whether the names of bars do not fit next to each other. */
function isNarrow({ points }: Points, { width }: ChartFrame): boolean {
  return (width - MARGIN) / Math.max(1, listNames(points).length) < NAME_WIDTH;
}

function toAxis({ points, role }: Points, { kind, xLabel: label }: ChartFrame): Plot.ScaleOptions {
  if (role === 'clock') return { label, type: 'utc', tickFormat: printClock };
  if (kind === 'histogram' && role === 'time') return { label, type: 'utc' };
  if (role === 'number' && points.length > 0 && areYears(points)) return { label, tickFormat: 'd' };
  return { label };
}

function listMarks(kind: ChartFrame['kind'], { points, bins, role }: Points): Plot.Markish[] {
  const data = [...points];
  const channels = { x: 'x', y: 'y' } as const;
  const tip = {
    tip: { format: { x: role === 'clock' ? printClock : true, fill: true, stroke: true } },
  } as const;
  const sorted = { ...channels, z: 'series', sort: 'x' } as const;
  switch (kind) {
    case 'bar':
      return [Plot.ruleY([0]), Plot.barY(data, { ...channels, fill: 'series', ...tip })];
    case 'line':
      return [
        Plot.lineY(data, { ...sorted, stroke: 'series', strokeWidth: 2, ...tip }),
        ...(data.length <= 60 ? [Plot.dot(data, { ...channels, fill: 'series', r: 3 })] : []),
      ];
    case 'area':
      return [Plot.ruleY([0]), Plot.areaY(data, { ...sorted, fill: 'series', fillOpacity: 0.7, ...tip })];
    case 'scatter':
      return [Plot.dot(data, { ...channels, stroke: 'series', r: 3, ...tip })];
    case 'histogram':
      return [
        Plot.ruleY([0]),
        Plot.rectY([...bins], { x1: 'from', x2: 'to', y: 'count', fill: toColour(0), inset: 0.5, tip: true }),
      ];
  }
}

/** The names of bars, in the order of the result. */
function listNames(points: readonly Point[]): string[] {
  return [...new Set(points.map(({ x }) => String(x)))];
}

function shorten(name: string): string {
  return name.length > TICK_LENGTH ? `${name.slice(0, TICK_LENGTH - 1)}…` : name;
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' });
const COMPACT = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 2 });

function printClock(time: Date | number): string {
  return CLOCK.format(time);
}

/** A short number for an axis, such as `1.2M`. */
function printNumber(value: number): string {
  return Math.abs(value) >= 10_000 ? COMPACT.format(value) : printCount(value);
}

/** Whether all values can be years, which have no separator of thousands. */
function areYears(points: readonly Point[]): boolean {
  return points.every(({ x }) => Number.isInteger(x) && Number(x) >= 1_000 && Number(x) < 3_000);
}
