import type { KeyboardEvent, PointerEvent } from 'react';
import classes from './border.module.css';

interface BorderProps {
  /** The name of the size that it changes, such as “Height of the results”. */
  readonly label: string;
  /** The direction of the line. */
  readonly orientation: 'horizontal' | 'vertical';
  readonly value: number;
  readonly min: number;
  readonly max: number;
  /** How much an arrow key changes the value. */
  readonly step: number;
  /** The value for a place of the pointer, as the window has it; undefined without a place. */
  readonly measure: (event: PointerEvent<HTMLElement>) => number | undefined;
  readonly onChange: (value: number) => void;
}

/** The keys that make the first of two parts larger and smaller, and those for its limits. */
const KEYS = {
  horizontal: { larger: 'ArrowUp', smaller: 'ArrowDown', largest: 'Home', smallest: 'End' },
  vertical: { larger: 'ArrowRight', smaller: 'ArrowLeft', largest: 'End', smallest: 'Home' },
};

/** A border between two parts of a page, which the pointer or the keys move. */
export function Border({ label, orientation, value, min, max, step, measure, onChange }: BorderProps) {
  const set = (next: number) => onChange(Math.round(Math.min(max, Math.max(min, next))));
  const drag = (event: PointerEvent<HTMLElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const next = measure(event);
    if (next !== undefined) set(next);
  };
  const press = (event: KeyboardEvent) => {
    const { larger, smaller, largest, smallest } = KEYS[orientation];
    const target = { [larger]: value + step, [smaller]: value - step, [largest]: max, [smallest]: min }[
      event.key
    ];
    if (target === undefined) return;
    event.preventDefault();
    set(target);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      className={classes[orientation]}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={orientation}
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={press}
    />
  );
}
