import { Text, useMantineTheme } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { ErrorAlert } from '../../error-alert.tsx';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import { usePart } from '../../use-part.ts';

/** With CodeMirror, which is large. */
const loadTexts = () => import('./revision-texts.tsx');

/** The texts of a script in an earlier version and now. */
export interface RevisionDifferencesProps {
  readonly path: string;
  /** The number of the earlier version. */
  readonly version: number;
  readonly before: string;
  readonly after: string;
  /** Whether lines that are the same are folded. */
  readonly isFolded: boolean;
}

/** The differences of two texts side by side, or in one column on a narrow page. */
export function RevisionDifferences(props: RevisionDifferencesProps) {
  const { breakpoints } = useMantineTheme();
  const isWide = useMediaQuery(`(min-width: ${breakpoints.sm})`, true, { getInitialValueInEffect: false });
  const { part, error, retry } = usePart(loadTexts);
  const { before, after } = props;
  if (before === after) return <Text size="sm">The texts are the same.</Text>;
  if (unifyLineEnds(before) === unifyLineEnds(after))
    return <Text size="sm">Only the line ends of the texts differ.</Text>;
  if (error !== null)
    return <ErrorAlert title="The texts cannot be compared" error={error} onRetry={retry} />;
  if (part === null) return <SkeletonRows label="Loading both texts" height={20} />;
  return <part.RevisionTexts {...props} isNarrow={!isWide} />;
}

/** A text with the line ends that CodeMirror uses. */
function unifyLineEnds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
