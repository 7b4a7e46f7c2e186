import { Fragment } from 'react';
import { getName, listAncestors } from '../../../api/catalog/catalog-paths.ts';
import { CatalogLink } from '../item/catalog-link.tsx';
import { ItemName } from '../item/item-name.tsx';
import classes from './view.module.css';

/** The folders around an item, as links; the last one is the item itself. */
export function Breadcrumbs({ path }: { readonly path: string }) {
  return (
    <nav aria-label="Path" className={classes.crumbs}>
      <CatalogLink path="" className={classes.crumb}>
        Catalog
      </CatalogLink>
      {listAncestors(path).map((ancestor) => (
        <Fragment key={ancestor}>
          <span aria-hidden="true">/</span>
          <CatalogLink path={ancestor} className={classes.crumb}>
            <ItemName name={getName(ancestor)} />
          </CatalogLink>
        </Fragment>
      ))}
    </nav>
  );
}
