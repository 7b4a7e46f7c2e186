import { useMemo } from 'react';
import { createColours, createScanRules } from '../../../language/highlighting.ts';
import { type ComparedText, Differences } from '../../editor/text/differences.tsx';
import { isScript, toDoc } from '../../editor/workspace/tab.ts';
import classes from './history.module.css';
import type { RevisionDifferencesProps } from './revision-differences.tsx';

const SCRIPT = createColours(createScanRules(true));

interface RevisionTextsProps extends RevisionDifferencesProps {
  readonly isNarrow: boolean;
}

/** The differences of two texts, in the colours of the editor. */
export function RevisionTexts({ path, version, before, after, isFolded, isNarrow }: RevisionTextsProps) {
  const former = useMemo(() => createText(`Text of version ${version}`, before), [version, before]);
  const current = useMemo(() => createText('Current text', after), [after]);
  return (
    <div className={classes.diff}>
      <Differences
        before={former}
        after={current}
        support={isScript(path) ? SCRIPT : NO_COLOURS}
        isNarrow={isNarrow}
        isFolded={isFolded}
      />
    </div>
  );
}

const NO_COLOURS: readonly [] = [];

function createText(label: string, content: string): ComparedText {
  const doc = toDoc(content);
  return { label, read: () => doc };
}
