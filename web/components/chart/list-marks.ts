import * as Plot from '@observablehq/plot';
import type { ChartFrame } from './draw-chart.ts';
import { printClock, toColour } from './print-axis.ts';
import type { Points } from './read-points.ts';

/** The points up to which lines have a dot at each. */
const MAX_DOTS = 60;
/** The points of a scatter that rarely cover each other. */
const FEW_POINTS = 200;

const CHANNELS = { x: 'x', y: 'y' } as const;

/** The marks of a chart. */
export function listMarks(frame: ChartFrame, marks: Points): Plot.Markish[] {
  const { points, bins, role } = marks;
  const data = [...points];
  const tip = {
    tip: { format: { x: role === 'clock' ? printClock : true, fill: true, stroke: true } },
  } as const;
  const sorted = { ...CHANNELS, z: 'series', sort: 'x' } as const;
  switch (frame.kind) {
    case 'bar':
      return listBars(frame, marks);
    case 'line':
      return [
        Plot.lineY(data, { ...sorted, stroke: 'series', strokeWidth: 2, ...tip }),
        ...(data.length <= MAX_DOTS ? [Plot.dot(data, { ...CHANNELS, fill: 'series', r: 3 })] : []),
      ];
    case 'area':
      return listAreas(frame, marks, tip);
    case 'scatter': {
      const fillOpacity = data.length <= FEW_POINTS ? 0.8 : 0.35;
      return [Plot.dot(data, { ...CHANNELS, fill: 'series', fillOpacity, r: 3, ...tip })];
    }
    case 'histogram':
      return [
        Plot.ruleY([0]),
        Plot.rectY([...bins], { x1: 'from', x2: 'to', y: 'count', fill: toColour(0), inset: 0.5, tip: true }),
      ];
  }
}

/** Bars on each other, as parts of 100 %, or next to each other: then each place is a facet. */
function listBars({ layout, isLog }: ChartFrame, { points }: Points): Plot.Markish[] {
  const data = [...points];
  const tip = { tip: { format: { x: true, fx: true, fill: true } } } as const;
  const floor = isLog ? findFloor(points.map(({ y }) => y)) : 0;
  const rule = Plot.ruleY([floor]);
  if (layout === 'grouped') {
    return [rule, Plot.barY(data, { fx: 'x', x: 'series', y1: floor, y2: 'y', fill: 'series', ...tip })];
  }
  if (isLog) return [rule, Plot.barY(data, { x: 'x', y1: floor, y2: 'y', fill: 'series', ...tip })];
  const offset = layout === 'percent' ? ({ offset: 'normalize' } as const) : {};
  return [rule, Plot.barY(data, { ...CHANNELS, fill: 'series', ...offset, ...tip })];
}

function listAreas({ layout }: ChartFrame, { points }: Points, tip: Plot.AreaYOptions): Plot.Markish[] {
  const data = [...points];
  const sorted = { x: 'x', z: 'series', sort: 'x', fill: 'series' } as const;
  if (layout === 'grouped') {
    return [
      Plot.ruleY([0]),
      Plot.areaY(data, { ...sorted, y1: 0, y2: 'y', fillOpacity: 0.25, ...tip }),
      Plot.lineY(data, { ...CHANNELS, z: 'series', sort: 'x', stroke: 'series' }),
    ];
  }
  const offset = layout === 'percent' ? ({ offset: 'normalize' } as const) : {};
  return [Plot.ruleY([0]), Plot.areaY(data, { ...sorted, y: 'y', fillOpacity: 0.7, ...offset, ...tip })];
}

/** The power of ten below all values, where bars of a logarithmic axis begin. */
export function findFloor(values: readonly number[]): number {
  const least = values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
  return Number.isFinite(least) && least > 0 ? 10 ** (Math.ceil(Math.log10(least)) - 1) : 1;
}
