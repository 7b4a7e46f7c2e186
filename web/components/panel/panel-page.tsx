import { ActionIcon, Button, Drawer } from '@mantine/core';
import { useDisclosure, useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useRef } from 'react';
import { CollapseIcon, TreeIcon } from '../icons.tsx';
import { Border } from './border.tsx';
import classes from './panel-page.module.css';

/** The width of the left panel, in pixels. */
const [MIN_WIDTH, FIRST_WIDTH, MAX_WIDTH, STEP] = [180, 240, 560, 20];

interface PanelPageProps {
  /** The page for which this browser remembers the width of the panel, and whether it is closed. */
  readonly id: string;
  /** The name of the panel, such as “Catalog”. */
  readonly label: string;
  /** The content of the left panel; in a drawer, `close` closes it. */
  readonly renderPanel: (close: () => void) => ReactNode;
  /** The button that opens the drawer of a narrow page. */
  readonly openLabel: string;
  /** Above the panel; on a narrow page, next to this button. */
  readonly head?: ReactNode;
  readonly children: ReactNode;
}

/** A page with a left panel to choose from: its width can be changed, it can be closed, and on a narrow page it is a drawer. */
export function PanelPage({ children, ...panel }: PanelPageProps) {
  const isWide = useMediaQuery('(min-width: 1000px)', true, { getInitialValueInEffect: false });
  return (
    <div className={classes.page}>
      {isWide ? <LeftPanel {...panel} /> : <PanelDrawer {...panel} />}
      {children}
    </div>
  );
}

type PanelProps = Omit<PanelPageProps, 'children'>;

function LeftPanel({ id, label, renderPanel, head }: PanelProps) {
  const box = useRef<HTMLElement>(null);
  const [width, setWidth] = useLocalStorage({
    key: `quern-panel-width-${id}`,
    defaultValue: FIRST_WIDTH,
    getInitialValueInEffect: false,
  });
  const [isClosed, setClosed] = useLocalStorage({
    key: `quern-panel-closed-${id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const name = `${isClosed ? 'Open' : 'Close'} the panel ${label}`;
  const button = (
    <ActionIcon
      variant="subtle"
      color="gray"
      className={classes.close}
      aria-label={name}
      title={name}
      onClick={() => setClosed(!isClosed)}
    >
      <CollapseIcon size={18} />
    </ActionIcon>
  );
  if (isClosed) return <div className={classes.closed}>{button}</div>;
  return (
    <>
      <nav ref={box} className={classes.panel} style={{ width }} aria-label={label} data-pane>
        {head !== undefined && <div className={classes.head}>{head}</div>}
        <div className={classes.content}>{renderPanel(() => {})}</div>
        {button}
      </nav>
      <Border
        label={`Width of the panel ${label}`}
        orientation="vertical"
        value={width}
        min={MIN_WIDTH}
        max={MAX_WIDTH}
        step={STEP}
        measure={({ clientX }) => clientX - (box.current?.getBoundingClientRect().left ?? 0)}
        onChange={setWidth}
      />
    </>
  );
}

function PanelDrawer({ label, renderPanel, openLabel, head }: PanelProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <div className={classes.bar}>
        <Button variant="default" leftSection={<TreeIcon />} onClick={open}>
          {openLabel}
        </Button>
        {head !== undefined && <div className={classes.grow}>{head}</div>}
      </div>
      <Drawer opened={isOpen} onClose={close} title={label} size="min(420px, 100vw)">
        <nav className={classes.drawer} aria-label={label}>
          {renderPanel(close)}
        </nav>
      </Drawer>
    </>
  );
}
