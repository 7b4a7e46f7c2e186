import { useNavigate, useSearch } from '@tanstack/react-router';

/** How the rows of a statement are shown. */
export type RowsDisplay = 'table' | 'chart';

/** How the address of the page says that rows are shown, and a function that changes it. */
export function useDisplay(): readonly [RowsDisplay, (display: RowsDisplay) => void] {
  const { show } = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (display: RowsDisplay) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, show: display === 'chart' ? ('chart' as const) : undefined }),
      replace: true,
    });
  return [show === 'chart' ? 'chart' : 'table', change];
}
