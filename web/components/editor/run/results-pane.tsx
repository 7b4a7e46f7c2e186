import { useLocalStorage } from '@mantine/hooks';
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { ErrorAlert } from '../../error-alert.tsx';
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
  /** Shows a place that a result or an error names. */
  readonly onPlace: (place: Place) => void;
}

/** The results of a run below the text, with a border that the pointer or the arrow keys move. */
export function ResultsPane({ runId, onPlace }: ResultsPaneProps) {
  const pane = useRef<HTMLDivElement>(null);
  const [share, setShare] = useLocalStorage({
    key: 'quern-results-height',
    defaultValue: 50,
    getInitialValueInEffect: false,
  });
  const set = (value: number) => setShare(Math.round(Math.min(MAX, Math.max(MIN, value))));
  const drag = (event: PointerEvent) => {
    const bounds = pane.current?.parentElement?.getBoundingClientRect();
    if (bounds === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    set(((bounds.bottom - event.clientY) / bounds.height) * 100);
  };
  const press = (event: KeyboardEvent) => {
    const target = { ArrowUp: share + STEP, ArrowDown: share - STEP, Home: MAX, End: MIN }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    set(target);
  };
  return (
    <div ref={pane} className={classes.results} style={{ flexBasis: `${share}%` }}>
      {/* biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved */}
      <div
        className={classes.border}
        role="separator"
        tabIndex={0}
        aria-label="Height of the results"
        aria-orientation="horizontal"
        aria-valuenow={share}
        aria-valuemin={MIN}
        aria-valuemax={MAX}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        onKeyDown={press}
      />
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
