import { Button, Group, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { Fragment, type ReactNode, useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { saveFile } from '../../api/catalog/files.ts';
import { printCounted } from '../catalog/view/print-size.ts';
import { DownloadIcon } from '../icons.tsx';
import { SideContent } from '../results/side/side-content.tsx';
import type { ResultSource } from '../results/source/result-source.ts';
import classes from './chart.module.css';
import { ChartControls } from './chart-controls.tsx';
import { type ChartSettings, KIND_LABELS, mayBeLog } from './chart-settings.ts';
import { chooseChart } from './choose-chart.ts';
import { type ChartFrame, drawChart } from './draw-chart.ts';
import { toColour } from './print-axis.ts';
import { findLayout, type Points, readPoints } from './read-points.ts';
import { useChartSettings } from './use-chart-settings.ts';

interface ResultChartProps {
  readonly source: ResultSource;
  /** The index of the statement in its run. */
  readonly statement: number;
  /** Whether a person sees the chart, so that the panel can change it. */
  readonly isShown: boolean;
}

/** A result as a chart; its controls are in the panel next to it. */
export function ResultChart({ source, statement, isShown }: ResultChartProps) {
  const [chosen, setChosen] = useChartSettings(statement, source);
  const first = useMemo(() => chooseChart(source), [source]);
  const settings = chosen ?? first;
  if (source.rowCount === 0) return <ChartNote text="The result has no rows." />;
  if (settings === null) return null;
  return (
    <>
      {isShown && (
        <SideContent part="chart" title="Chart">
          <ChartControls
            source={source}
            settings={settings}
            onChange={setChosen}
            onReset={chosen === null ? null : () => setChosen(null)}
          />
        </SideContent>
      )}
      <Chart source={source} settings={settings} />
    </>
  );
}

interface ChartProps {
  readonly source: ResultSource;
  readonly settings: ChartSettings;
}

function Chart({ source, settings }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  // Rows can arrive faster than a chart can be drawn.
  const rows = useDeferredValue(source);
  const points = useMemo(() => readPoints(rows, settings), [rows, settings]);
  const isEmpty = points.points.length + points.bins.length === 0;
  const names = nameChart(rows, settings);
  const save = () => {
    const drawn = box.current?.querySelector('svg');
    if (drawn)
      saveFile(`${names.title}.svg`, new Blob([printSvg(drawn, names.title)], { type: 'image/svg+xml' }));
  };
  return (
    <div className={classes.chart}>
      <Group gap="4px 16px">
        <Text fw={600} className={classes.title}>
          {names.title}
        </Text>
        <ChartLegend series={points.series} />
        {settings.kind !== 'number' && (
          <Button
            size="compact-sm"
            variant="default"
            ml="auto"
            leftSection={<DownloadIcon size={16} />}
            onClick={save}
            disabled={isEmpty}
          >
            Save as SVG
          </Button>
        )}
      </Group>
      <div ref={box} className={classes.content}>
        {settings.kind === 'number' ? (
          <SingleNumber source={rows} column={settings.y[0] ?? 0} />
        ) : isEmpty ? (
          <ChartNote text="No value of these columns can be drawn." />
        ) : (
          <ChartPicture points={points} look={findLook(rows, settings, settings.kind)} names={names} />
        )}
      </div>
      {points.notes.map((note) => (
        <Text key={note} size="sm" c="dimmed" role="note">
          {note}
        </Text>
      ))}
    </div>
  );
}

function ChartNote({ text }: { readonly text: string }) {
  return (
    <Text c="dimmed" p="xl" ta="center">
      {text}
    </Text>
  );
}

/** The colours of the series; nothing for one series. */
function ChartLegend({ series }: { readonly series: readonly string[] }) {
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

/** The smallest chart that can be read, in pixels. */
const MIN_WIDTH = 280;
const MIN_HEIGHT = 140;

/** What of the settings decides how the points are drawn. */
type Look = Pick<ChartFrame, 'kind' | 'layout' | 'isLog'>;

function findLook(source: ResultSource, settings: ChartSettings, kind: ChartFrame['kind']): Look {
  const isLog = settings.isLog && mayBeLog(kind);
  const layout = settings.layout ?? findLayout(source, settings);
  const hasSeries = settings.series !== null || settings.y.length > 1;
  if (!hasSeries) return { kind, isLog, layout: 'stacked' };
  // Logarithms of parts cannot be added.
  return { kind, isLog, layout: isLog ? 'grouped' : layout };
}

interface ChartPictureProps {
  readonly points: Points;
  readonly look: Look;
  readonly names: ChartNames;
}

/** A chart that fills its place. */
function ChartPicture({ points, look, names: { x, y, label } }: ChartPictureProps) {
  const { kind, layout, isLog } = look;
  const container = useRef<HTMLDivElement>(null);
  const { ref, width, height } = useElementSize();
  useEffect(() => {
    if (width === 0) return;
    const size = {
      width: Math.max(MIN_WIDTH, Math.floor(width)),
      height: Math.max(MIN_HEIGHT, Math.floor(height)),
    };
    const frame = { kind, layout, isLog, ...size, xLabel: x, yLabel: y, label };
    container.current?.replaceChildren(drawChart(points, frame));
  }, [points, kind, layout, isLog, width, height, x, y, label]);
  return (
    <div ref={ref} className={classes.place}>
      <div ref={container} className={classes.picture} />
    </div>
  );
}

/** The properties of a chart that come from style sheets. */
const STYLES = [
  'fill',
  'stroke',
  'color',
  'font-family',
  'font-size',
  'font-weight',
  'font-variant-numeric',
  'text-anchor',
];

/** The text of an SVG file of a chart that is on the page; it looks the same without the page's style sheets. */
function printSvg(chart: SVGSVGElement, title: string): string {
  const copy = chart.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) throw new Error('the chart cannot be copied');
  const originals = [chart, ...chart.querySelectorAll('*')];
  for (const [index, element] of [copy, ...copy.querySelectorAll('*')].entries()) {
    const original = originals[index];
    if (original === undefined) continue;
    const style = getComputedStyle(original);
    for (const name of STYLES) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute('class');
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const heading = document.createElementNS('http://www.w3.org/2000/svg', 'title');
  heading.textContent = title;
  copy.prepend(heading);
  return `${new XMLSerializer().serializeToString(copy)}\n`;
}

interface SingleNumberProps {
  readonly source: ResultSource;
  readonly column: number;
}

/** The value of the first row, with all its digits. */
function SingleNumber({ source, column }: SingleNumberProps) {
  const text = source.getText(0, column);
  return (
    <div className={classes.number}>
      <span className={classes.digits}>{text === null ? 'NULL' : breakAtCommas(groupDigits(text))}</span>
      {source.rowCount > 1 && (
        <Text size="sm" c="dimmed">
          the first of {printCounted(source.rowCount, 'row')}
        </Text>
      )}
    </div>
  );
}

/** Separates the thousands of a number; no digit is lost, as it would be in a double. */
function groupDigits(text: string): string {
  const [, sign = '', whole, fraction = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(text) ?? [];
  return whole === undefined ? text : `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${fraction}`;
}

/** Lets a long number continue in the next line after a comma only: a group that is cut is misread. */
function breakAtCommas(text: string): ReactNode {
  return text.split(/(?<=,)/).map((group, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the groups of a number have no other identity.
    <Fragment key={i}>
      {group}
      <wbr />
    </Fragment>
  ));
}

/** The texts of a chart. */
interface ChartNames {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  /** What a screen reader says. */
  readonly label: string;
}

/** Names a chart and its axes after the columns, unless the user has given a title. */
function nameChart({ columns }: ResultSource, { kind, x, y, series, title }: ChartSettings): ChartNames {
  const nameOf = (column: number) => columns[column]?.name || `column ${column + 1}`;
  const across = x === null ? '' : nameOf(x);
  const up = kind === 'histogram' || y.length === 0 ? 'rows' : y.map(nameOf).join(', ');
  const by = series === null ? '' : ` and ${nameOf(series)}`;
  const defaultName = across === '' ? up : `${up} by ${across}${by}`;
  const name = title.trim() === '' ? defaultName : title.trim();
  return { title: name, x: across, y: up, label: `${KIND_LABELS[kind]}: ${name}` };
}
