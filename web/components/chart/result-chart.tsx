import { Button, Group, Stack, Text } from '@mantine/core';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { saveFile } from '../../api/catalog/files.ts';
import { DownloadIcon } from '../icons.tsx';
import type { ResultSource } from '../results/source/result-source.ts';
import { ChartControls } from './chart-controls.tsx';
import { ChartLegend } from './chart-legend.tsx';
import { ChartPicture } from './chart-picture.tsx';
import type { ChartSettings } from './chart-settings.ts';
import { chooseChart } from './choose-chart.ts';
import { nameChart } from './name-chart.ts';
import { readPoints } from './read-points.ts';
import { printSvg } from './save-svg.ts';
import { SingleNumber } from './single-number.tsx';

export interface ResultChartProps {
  readonly source: ResultSource;
}

/** A result as a chart, with the controls that change it. */
export function ResultChart({ source }: ResultChartProps) {
  const [chosen, setChosen] = useState<ChartSettings | null>(null);
  const first = useMemo(() => chooseChart(source), [source]);
  const settings = chosen ?? first;
  if (source.rowCount === 0) return <Message text="The result has no rows." />;
  if (settings === null)
    return <Message text="No column of this result can be drawn: a chart needs numbers, dates or names." />;
  return <Chart source={source} settings={settings} onChange={setChosen} />;
}

interface ChartProps extends ResultChartProps {
  readonly settings: ChartSettings;
  readonly onChange: (settings: ChartSettings) => void;
}

function Chart({ source, settings, onChange }: ChartProps) {
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
    <Stack gap="md" p="md">
      <ChartControls source={source} settings={settings} onChange={onChange} />
      <Stack gap="xs" ref={box}>
        <Group justify="space-between" gap="sm">
          <Text fw={600}>{names.title}</Text>
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
        <ChartLegend series={points.series} />
        {settings.kind === 'number' ? (
          <SingleNumber source={rows} column={settings.y[0] ?? 0} />
        ) : isEmpty ? (
          <Message text="No value of these columns can be drawn." />
        ) : (
          <ChartPicture points={points} kind={settings.kind} names={names} />
        )}
      </Stack>
      {points.notes.map((note) => (
        <Text key={note} size="sm" c="dimmed" role="note">
          {note}
        </Text>
      ))}
    </Stack>
  );
}

function Message({ text }: { readonly text: string }) {
  return (
    <Text c="dimmed" p="xl" ta="center">
      {text}
    </Text>
  );
}
