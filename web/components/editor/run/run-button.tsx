import { ActionIcon, Button, Group, Kbd, Menu } from '@mantine/core';
import { useState } from 'react';
import { findBlockAt, type ScriptBlock } from '../../../language/script-parts.ts';
import { ChevronIcon, PlayIcon } from '../../icons.tsx';
import { IS_MAC } from '../../is-mac.ts';
import type { EditorWorkspace } from '../workspace/workspace.ts';
import type { RunPart } from './use-run.ts';

/** The keys that run a text without the menu. */
const KEYS = IS_MAC
  ? { all: '⌘ Enter', selection: '⌘ ⇧ Enter', block: '⌥ Enter' }
  : { all: 'Ctrl Enter', selection: 'Ctrl Shift Enter', block: 'Alt Enter' };

interface RunButtonProps {
  readonly workspace: EditorWorkspace;
  /** The tab. */
  readonly id: number;
  readonly isPending: boolean;
  readonly onRun: (part: RunPart) => void;
  /** Called for a block that needs arguments. */
  readonly onAsk: (block: ScriptBlock) => void;
  /** Shows the SQL to which the text compiles. */
  readonly onCompile: () => void;
}

/** Runs the text; its menu runs the selection, or the block at the cursor. */
export function RunButton({ workspace, id, isPending, onRun, onAsk, onCompile }: RunButtonProps) {
  const [parts, setParts] = useState<Parts>(NO_PARTS);
  const { block, hasSelection } = parts;
  return (
    <Group gap={2} wrap="nowrap">
      <Button
        size="xs"
        leftSection={<PlayIcon size={14} />}
        loading={isPending}
        onClick={() => onRun({ kind: 'all' })}
      >
        Run
      </Button>
      <Menu position="bottom-start" width={280} shadow="md" onOpen={() => setParts(readParts(workspace, id))}>
        <Menu.Target>
          <ActionIcon size={30} aria-label="Run a part">
            <ChevronIcon size={14} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item rightSection={<Kbd size="xs">{KEYS.all}</Kbd>} onClick={() => onRun({ kind: 'all' })}>
            Run all
          </Menu.Item>
          <Menu.Item
            disabled={!hasSelection}
            rightSection={<Kbd size="xs">{KEYS.selection}</Kbd>}
            onClick={() => onRun({ kind: 'selection' })}
          >
            Run the selection
          </Menu.Item>
          <Menu.Item
            disabled={block === null}
            rightSection={<Kbd size="xs">{KEYS.block}</Kbd>}
            onClick={() => block !== null && runBlock(block, onRun, onAsk)}
          >
            {block === null ? 'Run the block at the cursor' : `Run ${block.name}`}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item onClick={onCompile}>Show the compiled SQL</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}

/** What of a text can run by itself. */
interface Parts {
  readonly block: ScriptBlock | null;
  readonly hasSelection: boolean;
}

const NO_PARTS: Parts = { block: null, hasSelection: false };

/** The selection, and the block at the cursor. */
export function readParts(workspace: EditorWorkspace, id: number): Parts {
  const state = workspace.getState(id);
  if (state === undefined) return NO_PARTS;
  const { main } = state.selection;
  return { block: findBlockAt(state.doc.toString(), main.head), hasSelection: !main.empty };
}

/** Runs a block; asks first for the arguments that it takes. */
export function runBlock(block: ScriptBlock, onRun: RunButtonProps['onRun'], onAsk: RunButtonProps['onAsk']) {
  if (block.params.length > 0) onAsk(block);
  else onRun({ kind: 'block', name: block.name, args: {} });
}
