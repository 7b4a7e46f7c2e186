import { Button, Group, Text } from '@mantine/core';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { saveFile } from '../../api/catalog/files.ts';
import { DownloadIcon } from '../icons.tsx';
import type { ResultSource } from '../results/source/result-source.ts';
import classes from './chart.module.css';
import { ChartControls } from './chart-controls.tsx';
import { ChartLegend } from './chart-legend.tsx';
import { ChartPicture } from './chart-picture.tsx';
import type { ChartSettings } from './chart-settings.ts';
import { chooseChart } from './choose-chart.ts';
import { nameChart } from './name-chart.ts';
import { readPoints } from './read-points.ts';
import { printSvg } from './save-svg.ts';
import { SingleNumber } from './single-number.tsx';

interface ResultChartProps {
  readonly source: ResultSource;
}

/** A result as a chart, with the controls that change it. */
export function ResultChart({ source }: ResultChartProps) {
  const [chosen, setChosen] = useState<ChartSettings | null>(null);
  const first = useMemo(() => chooseChart(source), [source]);
  const settings = chosen ?? first;
  if (source.rowCount === 0) return <Message text="The result has no rows." />;
  if (settings === null) return null;
  return <Chart source={source} settings={settings} onChange={setChosen} />;
}

interface ChartProps extends ResultChartProps {
  readonly settings: ChartSettings;
  readonly onChange: (settings: ChartSettings) => void;
}

function Chart({ source, settings, onChange }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const [isEdited, setEdited] = useState(false);
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
      <Group justify="space-between" gap="sm">
        <Text fw={600}>{names.title}</Text>
        <Group gap={6}>
          <Button
            size="compact-sm"
            variant="default"
            aria-expanded={isEdited}
            onClick={() => setEdited(!isEdited)}
          >
            Change chart
          </Button>
          {settings.kind !== 'number' && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<DownloadIcon size={16} />}
              onClick={save}
              disabled={isEmpty}
            >
              Save as SVG
            </Button>
          )}
        </Group>
      </Group>
      {isEdited && <ChartControls source={source} settings={settings} onChange={onChange} />}
      <ChartLegend series={points.series} />
      <div ref={box} className={classes.content}>
        {settings.kind === 'number' ? (
          <SingleNumber source={rows} column={settings.y[0] ?? 0} />
        ) : isEmpty ? (
          <Message text="No value of these columns can be drawn." />
        ) : (
          <ChartPicture points={points} kind={settings.kind} names={names} />
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

function Message({ text }: { readonly text: string }) {
  return (
    <Text c="dimmed" p="xl" ta="center">
      {text}
    </Text>
  );
}
