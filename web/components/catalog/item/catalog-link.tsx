import { Link } from '@tanstack/react-router';
import type { ComponentPropsWithoutRef, ReactNode } from 'react';
import type { CatalogSearch } from '../../../api/catalog/catalog-search.ts';

interface CatalogLinkProps extends Pick<ComponentPropsWithoutRef<'a'>, 'className' | 'tabIndex' | 'onClick'> {
  /** The path of an item; empty for the list of namespaces. */
  readonly path: string;
  /** What the page shows of the item. */
  readonly search?: CatalogSearch;
  readonly children: ReactNode;
}

/** A link to the page of an item. */
export function CatalogLink({ path, search = {}, children, ...rest }: CatalogLinkProps) {
  return (
    <Link {...rest} to="/catalog/$" params={{ _splat: path }} search={search} preload={false}>
      {children}
    </Link>
  );
}
