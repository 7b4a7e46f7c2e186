import classes from './chart.module.css';
import { toColour } from './draw-chart.ts';

/** The colours of the series; nothing for one series. */
export function ChartLegend({ series }: { readonly series: readonly string[] }) {
  if (series.length < 2) return null;
  return (
    <ul className={classes.legend} aria-label="Series">
      {series.map((name, index) => (
        <li key={name} className={classes.series}>
          <span className={classes.swatch} style={{ background: toColour(index) }} />
          {name === '' ? '(empty)' : name}
        </li>
      ))}
    </ul>
  );
}
