import { type ReactNode, use, useLayoutEffect } from 'react';
import { SideContext } from './side-context.ts';
import type { SidePart } from './side-search.ts';

interface SideContentProps {
  readonly part: SidePart;
  /** The heading of the panel. */
  readonly title: string;
  readonly children: ReactNode;
}

/** Offers a part of the panel while the component is shown; the panel shows it if a person has chosen it. */
export function SideContent({ part, title, children }: SideContentProps): null {
  const side = use(SideContext);
  useLayoutEffect(() => {
    side?.offers.set({ ...side.offers.get(), [part]: { title, content: children } });
  }, [side, part, title, children]);
  useLayoutEffect(() => {
    if (side === null) return;
    return () => side.offers.set({ ...side.offers.get(), [part]: undefined });
  }, [side, part]);
  return null;
}
