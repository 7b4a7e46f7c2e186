import { Link } from '@tanstack/react-router';
import { TrashIcon } from '../../icons.tsx';
import classes from './bin.module.css';

/** The link to the bin, below the tree. */
export function BinLink({ onShow }: { readonly onShow: () => void }) {
  return (
    <Link to="/catalog/bin" className={classes.bin} onClick={onShow}>
      <TrashIcon />
      Bin
    </Link>
  );
}
