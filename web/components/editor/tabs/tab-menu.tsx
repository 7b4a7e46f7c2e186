import { ActionIcon, Kbd, Menu } from '@mantine/core';
import { useStore } from '../../../api/store.ts';
import { MoreIcon } from '../../icons.tsx';
import { printKeys, SHORTCUTS } from '../../shortcuts/shortcuts.ts';
import type { ClosedTexts } from '../workspace/closed-texts.ts';
import { getTitle, isQuery, type Tab } from '../workspace/tab.ts';

interface TabMenuProps {
  /** The shown tab. */
  readonly tab: Tab | undefined;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** Whether the Tab key stops at it. */
  readonly isStop: boolean;
  readonly closed: ClosedTexts;
  readonly onRename: () => void;
  readonly onMove: (by: number) => void;
  readonly onClose: () => void;
  readonly onReopen: () => void;
}

/** The actions for the shown tab, and for closed texts. */
export function TabMenu(props: TabMenuProps) {
  const { tab, isFirst, isLast, isStop, closed, onRename, onMove, onClose, onReopen } = props;
  const hasClosed = useStore(closed.list).length > 0;
  const label = tab === undefined ? 'Actions for texts' : `Actions for ${getTitle(tab)}`;
  const keys = (shortcut: Parameters<typeof printKeys>[0]) => <Kbd size="xs">{printKeys(shortcut)}</Kbd>;
  return (
    <Menu position="bottom-start" width={280} shadow="md">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={32}
          mt={2}
          aria-label={label}
          data-stop="menu"
          tabIndex={isStop ? 0 : -1}
        >
          <MoreIcon size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {tab !== undefined && (
          <>
            <Menu.Item disabled={!isQuery(tab.key)} rightSection={keys(SHORTCUTS.rename)} onClick={onRename}>
              Rename…
            </Menu.Item>
            <Menu.Item disabled={isFirst} rightSection={keys(SHORTCUTS.moveLeft)} onClick={() => onMove(-1)}>
              Move to the left
            </Menu.Item>
            <Menu.Item disabled={isLast} rightSection={keys(SHORTCUTS.moveRight)} onClick={() => onMove(1)}>
              Move to the right
            </Menu.Item>
            <Menu.Item rightSection={keys(SHORTCUTS.closeText)} onClick={onClose}>
              Close
            </Menu.Item>
            <Menu.Divider />
          </>
        )}
        <Menu.Item disabled={!hasClosed} rightSection={keys(SHORTCUTS.reopen)} onClick={onReopen}>
          Reopen closed text
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
