import { useEffect, useState } from 'react';

/** Returns the focus to the element that had it before the component was shown, when the component is removed. */
export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    },
    [before],
  );
}
