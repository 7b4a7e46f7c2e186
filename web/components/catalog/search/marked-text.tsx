import { showDirections } from '../item/show-directions.ts';
import classes from './search.module.css';

interface MarkedTextProps {
  readonly text: string;
  /** The searched text. */
  readonly match: string;
}

/** A text in which the first match of a search is marked. */
export function MarkedText({ text, match }: MarkedTextProps) {
  const found = new RegExp(match.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu').exec(text);
  if (found === null) return showDirections(text);
  const end = found.index + found[0].length;
  return (
    <>
      {showDirections(text.slice(0, found.index))}
      <mark className={classes.mark}>{showDirections(found[0])}</mark>
      {showDirections(text.slice(end))}
    </>
  );
}
