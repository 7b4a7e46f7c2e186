import { type RefObject, useEffect, useState } from 'react';

/** The visible part of a scrolled element, in pixels. */
export interface Viewport {
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/** Observes the scroll position and the size of an element. */
export function useViewport(element: RefObject<HTMLElement | null>): Viewport {
  const [viewport, setViewport] = useState<Viewport>({ top: 0, left: 0, width: 0, height: 0 });
  useEffect(() => {
    const box = element.current;
    if (box === null) return;
    const read = () =>
      setViewport({
        top: box.scrollTop,
        left: box.scrollLeft,
        width: box.clientWidth,
        height: box.clientHeight,
      });
    const resizing = new ResizeObserver(read);
    resizing.observe(box);
    box.addEventListener('scroll', read, { passive: true });
    return () => {
      resizing.disconnect();
      box.removeEventListener('scroll', read);
    };
  }, [element]);
  return viewport;
}
