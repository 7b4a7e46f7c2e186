import type { Extension } from '@codemirror/state';
import { SegmentedControl, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { type ResultsRoom, readResultsRoom, writeResultsRoom } from '../../api/editor/results-room.ts';
import { useSession } from '../../api/use-session.ts';
import type { Place } from '../results/run/place-context.ts';
import classes from './editor.module.css';
import { ParametersForm } from './run/parameters-form.tsx';
import { printPlace } from './run/place.ts';
import { ResultsPane } from './run/results-pane.tsx';
import runClasses from './run/run.module.css';
import type { TextRunner } from './run/use-runner.ts';
import { StartPane } from './start/start-pane.tsx';
import { Strip } from './strip.tsx';
import { TextEditor } from './text/text-editor.tsx';
import { getTitle, isScript, type Tab } from './workspace/tab.ts';
import type { EditorWorkspace } from './workspace/workspace.ts';

const NO_LANGUAGE: Extension = [];
/** A window with room for the text or the results, but not for both. */
const LOW = '(max-height: 499.98px)';

interface TextAndResultsProps {
  readonly workspace: EditorWorkspace;
  readonly tab: Tab;
  readonly runner: TextRunner;
  readonly isReadOnly: boolean;
}

/** The text of a tab, and below it the results of its last run; below an empty text, what to start from. */
export function TextAndResults(props: TextAndResultsProps) {
  const { workspace, tab, runner } = props;
  const { liveRun, parameters, values, setValue, incomplete } = runner;
  const navigate = useNavigate();
  const { room, setRoom, shown, setShown, isLow } = useRoom(tab);
  const showPlace = ({ file, line, column }: Place) => {
    if (room.isMaximized) setRoom({ ...room, isMaximized: false });
    if (file === printPlace(tab.key)) workspace.goTo(tab.id, line, column);
    else void navigate({ to: '/sql/$', params: { _splat: file }, search: { line } });
  };
  useTablesAfterRun(workspace, tab.id, liveRun);
  return (
    <>
      <RunFailures runner={runner} />
      <ParametersForm parameters={parameters} values={values} onChange={setValue} missing={incomplete} />
      {isLow && (
        <SegmentedControl
          size="xs"
          className={runClasses.switch}
          aria-label="Shown part"
          data={[
            { value: 'text', label: 'Text' },
            { value: 'results', label: 'Results' },
          ]}
          value={shown}
          onChange={(next) => setShown(next === 'text' ? next : 'results')}
        />
      )}
      <div className={runClasses.both} data-shown={isLow ? shown : undefined}>
        <TextWithStart {...props} room={room} />
        {tab.runId !== null && (
          <ResultsPane
            runId={tab.runId}
            room={room}
            onRoom={setRoom}
            isOtherText={tab.isOtherText}
            onPlace={showPlace}
          />
        )}
      </div>
    </>
  );
}

function RunFailures({ runner: { error, stopError, liveRun } }: Pick<TextAndResultsProps, 'runner'>) {
  return (
    <>
      {error !== null && (
        <Strip kind="danger" isUrgent>
          The run was not started. {error.message}
        </Strip>
      )}
      {stopError !== null && liveRun !== null && (
        <Strip kind="danger" isUrgent>
          The run was not stopped. {stopError.message}
        </Strip>
      )}
    </>
  );
}

function TextWithStart({
  workspace,
  tab,
  runner,
  isReadOnly,
  room,
}: TextAndResultsProps & { readonly room: ResultsRoom }) {
  const isStart = tab.isEmpty && tab.runId === null && isScript(tab.key) && !isReadOnly;
  const textRoom = tab.runId === null ? (isStart ? 'needed' : undefined) : nameTextRoom(room);
  return (
    <>
      <div className={runClasses.text} data-room={textRoom}>
        <TextEditor
          key={tab.id}
          workspace={workspace}
          id={tab.id}
          label={`Text of ${getTitle(tab)}`}
          isReadOnly={isReadOnly}
          support={isScript(tab.key) ? runner.extension : NO_LANGUAGE}
        />
        {tab.isLong && isScript(tab.key) && (
          <Text size="xs" role="note" className={classes.note}>
            This text is longer than 1 MB: it is checked when it runs, not while you type.
          </Text>
        )}
      </div>
      {isStart && <StartPane workspace={workspace} runner={runner} />}
    </>
  );
}

interface RoomState {
  readonly room: ResultsRoom;
  readonly setRoom: (room: ResultsRoom) => void;
  /** What a low window shows. */
  readonly shown: 'text' | 'results';
  readonly setShown: (shown: 'text' | 'results') => void;
  /** Whether there is only room for the text or the results. */
  readonly isLow: boolean;
}

/** The room of the results of a text. In a low window, the results of a new run have all of it, until one shows the text. */
function useRoom({ key, runId }: Tab): RoomState {
  const { user_name: user } = useSession().user;
  const [room, setRoom] = useState(() => readResultsRoom(user, key));
  const [textOf, setTextOf] = useState<string | null>(null);
  const isLow = useMediaQuery(LOW, false, { getInitialValueInEffect: false }) && runId !== null;
  const shown = textOf === runId ? 'text' : 'results';
  const setShown = (next: RoomState['shown']) => setTextOf(next === 'text' ? runId : null);
  if (isLow) {
    const isMaximized = shown === 'results';
    const setLow = (next: ResultsRoom) => setShown(next.isMaximized ? 'results' : 'text');
    return { room: { ...room, isMaximized }, setRoom: setLow, shown, setShown, isLow };
  }
  const change = (next: ResultsRoom) => {
    setRoom(next);
    writeResultsRoom(user, key, next);
  };
  return { room, setRoom: change, shown, setShown, isLow };
}

/** The room of a text with results; undefined for what they leave. */
function nameTextRoom({ share, isMaximized }: ResultsRoom): 'none' | 'needed' | undefined {
  if (isMaximized) return 'none';
  return share === null ? 'needed' : undefined;
}

/** Words of statements that change which tables there are. */
const CHANGES_TABLES = /\b(?:create|drop|alter|rename|attach|detach)\b/i;

/** Lists the tables again when a run has ended whose text changes them. */
function useTablesAfterRun(workspace: EditorWorkspace, id: number, liveRun: string | null): void {
  const client = useQueryClient();
  const before = useRef(liveRun);
  useEffect(() => {
    const hasEnded = before.current !== null && before.current !== liveRun;
    before.current = liveRun;
    if (hasEnded && CHANGES_TABLES.test(workspace.print(id)))
      void client.invalidateQueries({ queryKey: ['tables'] });
  }, [workspace, client, id, liveRun]);
}
