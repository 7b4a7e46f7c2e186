import { Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { type PointerEvent, useRef } from 'react';
import { ErrorAlert } from '../../error-alert.tsx';
import { Border } from '../../panel/border.tsx';
import { type Place, PlaceContext } from '../../results/run/place-context.ts';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import { usePart } from '../../use-part.ts';
import classes from './run.module.css';

/** The height of the results, in percent of the place for the text and the results. */
const MIN = 15;
const MAX = 85;
const STEP = 5;

interface ResultsPaneProps {
  readonly runId: string;
  /** Whether the text is another one than that of the run. */
  readonly isOtherText: boolean;
  /** Shows a place that a result or an error names. */
  readonly onPlace: (place: Place) => void;
}

/** The results of a run below the text, with a border that the pointer or the arrow keys move. */
export function ResultsPane({ runId, isOtherText, onPlace }: ResultsPaneProps) {
  const pane = useRef<HTMLDivElement>(null);
  const [share, setShare] = useLocalStorage({
    key: 'quern-results-height',
    defaultValue: 50,
    getInitialValueInEffect: false,
  });
  const measure = ({ clientY }: PointerEvent) => {
    const bounds = pane.current?.parentElement?.getBoundingClientRect();
    return bounds === undefined ? undefined : ((bounds.bottom - clientY) / bounds.height) * 100;
  };
  return (
    <div
      ref={pane}
      className={classes.results}
      style={{ flexBasis: `${share}%` }}
      data-pale={isOtherText || undefined}
    >
      <Border
        label="Height of the results"
        orientation="horizontal"
        value={share}
        min={MIN}
        max={MAX}
        step={STEP}
        measure={measure}
        onChange={setShare}
      />
      {isOtherText && (
        <Text role="note" size="sm" className={classes.other}>
          The text has changed since this run. Run it again for its results.
        </Text>
      )}
      <PlaceContext value={onPlace}>
        <Results runId={runId} />
      </PlaceContext>
    </div>
  );
}

const loadResults = () => import('../../results/run-results.tsx');

/** The results, whose code is loaded with the first run. */
function Results({ runId }: { readonly runId: string }) {
  const { part, error, retry } = usePart(loadResults);
  if (part !== null) return <part.RunResults key={runId} runId={runId} />;
  if (error !== null) return <ErrorAlert title="The results cannot be shown" error={error} onRetry={retry} />;
  return <SkeletonRows label="Loading the results" count={4} height={32} />;
}
