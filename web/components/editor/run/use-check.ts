import type { Extension } from '@codemirror/state';
import { ViewPlugin } from '@codemirror/view';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { checkScript, type ScriptParameter } from '../../../api/editor/check-script.ts';
import { placeText } from './place.ts';

/** How long the text must stay the same before it is checked. */
const DELAY_MS = 500;
/** The maximum UTF-16 units of a text that is checked while it is typed. */
const MAX_LENGTH = 1_000_000;

interface Check {
  readonly parameters: readonly ScriptParameter[];
  readonly setParameters: (parameters: readonly ScriptParameter[]) => void;
  /** Checks the text while it is typed. */
  readonly extension: Extension;
}

/** Asks the server for the parameters of the text of a tab, while it is typed. */
export function useCheck(key: string): Check {
  const client = useQueryClient();
  const [parameters, setParameters] = useState<readonly ScriptParameter[]>([]);
  const extension = useMemo(() => {
    const check = async (content: string, signal: AbortSignal) => {
      if (!content.includes('$')) return setParameters([]);
      const found = await checkScript(client, placeText(key, content), signal);
      if (!signal.aborted) setParameters(found.parameters);
    };
    return createLiveCheck(check);
  }, [client, key]);
  return { parameters, setParameters, extension };
}

/** Calls `check` when a text is shown, and after each change, when the text has not changed for a moment. */
function createLiveCheck(check: (text: string, signal: AbortSignal) => Promise<void>): Extension {
  return ViewPlugin.define((view) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let request = new AbortController();
    const stop = () => {
      clearTimeout(timer);
      request.abort();
    };
    const start = () => {
      stop();
      if (view.state.doc.length > MAX_LENGTH) return;
      request = new AbortController();
      const { signal } = request;
      // A failed check is repeated after the next change, and before a run, which reports it.
      timer = setTimeout(
        () => void check(view.state.doc.toString(), signal).catch(() => undefined),
        DELAY_MS,
      );
    };
    start();
    return {
      update: ({ docChanged }) => {
        if (docChanged) start();
      },
      destroy: stop,
    };
  });
}
