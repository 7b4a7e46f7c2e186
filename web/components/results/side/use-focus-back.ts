import { useEffect, useState } from 'react';

/**
 * When the component is removed with the focus in it, returns the focus to the element that had it before the component was
 * shown.
 */
export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const { activeElement: now, body } = document;
      if (before instanceof HTMLElement && (now === null || now === body))
        before.focus({ preventScroll: true });
    },
    [before],
  );
}
