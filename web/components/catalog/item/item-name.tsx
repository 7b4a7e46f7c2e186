import classes from './item.module.css';
import { showDirections } from './show-directions.ts';

interface ItemNameProps {
  readonly name: string;
  /** Whether a long name continues on further lines instead of being cut. */
  readonly isWrapped?: boolean;
}

/** The name of an item. Its writing direction does not change the text around it. */
export function ItemName({ name, isWrapped = false }: ItemNameProps) {
  return (
    <bdi className={isWrapped ? classes.wrapped : classes.name} title={isWrapped ? undefined : name}>
      {isVisible(name) ? showDirections(name) : `“${name}”`}
    </bdi>
  );
}

/** Whether a name has a character that is not a space or a control character. */
function isVisible(name: string): boolean {
  return /[^\s\p{C}]/u.test(name);
}
