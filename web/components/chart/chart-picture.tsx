import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import classes from './chart.module.css';
import { type ChartFrame, drawChart } from './draw-chart.ts';
import type { ChartNames } from './name-chart.ts';
import type { Points } from './read-points.ts';

/** The smallest chart that can be read, in pixels. */
const MIN_WIDTH = 280;
const MIN_HEIGHT = 200;

interface ChartPictureProps {
  readonly points: Points;
  readonly kind: ChartFrame['kind'];
  readonly names: ChartNames;
}

/** A chart that fills its place. */
export function ChartPicture({ points, kind, names: { x, y, label } }: ChartPictureProps) {
  const place = useRef<HTMLDivElement>(null);
  const { ref, width, height } = useElementSize();
  useEffect(() => {
    if (width === 0) return;
    const size = {
      width: Math.max(MIN_WIDTH, Math.floor(width)),
      height: Math.max(MIN_HEIGHT, Math.floor(height)),
    };
    place.current?.replaceChildren(drawChart(points, { kind, ...size, xLabel: x, yLabel: y, label }));
  }, [points, kind, width, height, x, y, label]);
  return (
    <div ref={ref} className={classes.place}>
      <div ref={place} className={classes.picture} />
    </div>
  );
}
