import { Text } from '@mantine/core';
import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { ResultsRoom } from '../../../api/editor/results-room.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { Border } from '../../panel/border.tsx';
import { type Place, PlaceContext } from '../../results/run/place-context.ts';
import { RoomContext } from '../../results/run/room-context.ts';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import { usePart } from '../../use-part.ts';
import classes from './run.module.css';

/** The height of the results, in percent of the place for the text and the results. */
const MIN = 15;
const MAX = 85;
const STEP = 5;

interface ResultsPaneProps {
  readonly runId: string;
  readonly room: ResultsRoom;
  readonly onRoom: (room: ResultsRoom) => void;
  /** Whether the text is another one than that of the run. */
  readonly isOtherText: boolean;
  /** Shows a place that a result or an error names. */
  readonly onPlace: (place: Place) => void;
}

/** The results of a run below the text, with a border that the pointer or the arrow keys move. */
export function ResultsPane({ runId, room, onRoom, isOtherText, onPlace }: ResultsPaneProps) {
  const pane = useRef<HTMLDivElement>(null);
  const { share, isMaximized } = room;
  const measured = useMeasured(pane);
  const toggle = () => onRoom({ ...room, isMaximized: !isMaximized });
  const press = (event: KeyboardEvent) => {
    // Dialogs and menus, which are elsewhere in the page, have their use of the key.
    const isHere = event.target instanceof Node && pane.current?.contains(event.target);
    if (event.key === 'Escape' && isMaximized && isHere && !event.defaultPrevented) toggle();
  };
  const measure = ({ clientY }: PointerEvent) => {
    const bounds = pane.current?.parentElement?.getBoundingClientRect();
    return bounds === undefined ? undefined : ((bounds.bottom - clientY) / bounds.height) * 100;
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key shows the text from each element in it
    <div
      ref={pane}
      className={classes.results}
      style={share === null || isMaximized ? undefined : { flex: `0 0 ${share}%` }}
      data-pale={isOtherText || undefined}
      onKeyDown={press}
    >
      {!isMaximized && (
        <Border
          label="Height of the results"
          orientation="horizontal"
          value={share ?? measured}
          min={MIN}
          max={MAX}
          step={STEP}
          measure={measure}
          onChange={(next) => onRoom({ ...room, share: next })}
        />
      )}
      {isOtherText && (
        <Text role="note" size="sm" className={classes.other}>
          The text has changed since this run. Run it again for its results.
        </Text>
      )}
      <PlaceContext value={onPlace}>
        <RoomContext value={{ isMaximized, onToggle: toggle }}>
          <Results runId={runId} />
        </RoomContext>
      </PlaceContext>
    </div>
  );
}

/** The height of an element, in percent of what is around it, within the limits of the border. */
function useMeasured(element: RefObject<HTMLElement | null>): number {
  const [share, setShare] = useState(MAX);
  useEffect(() => {
    const { current } = element;
    const around = current?.parentElement;
    if (current === null || around === null || around === undefined) return;
    const observer = new ResizeObserver(() => {
      const measured = Math.round((current.clientHeight / around.clientHeight) * 100);
      if (measured > 0) setShare(Math.min(MAX, Math.max(MIN, measured)));
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return share;
}

const loadResults = () => import('../../results/run-results.tsx');

/** The results, whose code is loaded with the first run. */
function Results({ runId }: { readonly runId: string }) {
  const { part, error, retry } = usePart(loadResults);
  if (part !== null) return <part.RunResults key={runId} runId={runId} />;
  if (error !== null) return <ErrorAlert title="The results cannot be shown" error={error} onRetry={retry} />;
  return <SkeletonRows label="Loading the results" count={4} height={32} />;
}
