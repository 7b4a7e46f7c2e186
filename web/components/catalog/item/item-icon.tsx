import type { ReactNode } from 'react';
import type { ItemType } from '../../../api/catalog/catalog.ts';
import classes from './item.module.css';

const DOCUMENT = <path d="M6 3.5h8l4.5 4.5v12.5H6zM14 3.5V8h4.5" />;
const FOLDER = <path d="M3.5 6.5h6l2 2.5h9v10.5h-17z" />;

/** The icon and the colour class of each type. */
const ICONS: Readonly<Record<ItemType, readonly [ReactNode, string | undefined]>> = {
  REGULAR_FOLDER: [FOLDER, classes.folder],
  USER_HOME: [<path key="home" d="M4 11.5 12 5l8 6.5M6 10v9.5h12V10M10 19.5v-5h4v5" />, classes.folder],
  PROJECT: [
    <g key="project">
      {FOLDER}
      <path d="m10 12.5-2 2 2 2M14 12.5l2 2-2 2" />
    </g>,
    classes.project,
  ],
  SQL_SCRIPT: [
    <g key="sql">
      {DOCUMENT}
      <path d="M9 12.5h6M9 16h4" />
    </g>,
    classes.script,
  ],
  SERVICE_SCRIPT: [
    <g key="service">
      {DOCUMENT}
      <path d="m10.5 11.5-2 2.5 2 2.5M13.5 11.5l2 2.5-2 2.5" />
    </g>,
    classes.blocks,
  ],
  PROJECT_MANIFEST: [
    <g key="manifest">
      {DOCUMENT}
      <circle cx="12" cy="14" r="2.3" />
    </g>,
    classes.project,
  ],
  SCHEDULED_EVENTS: [
    <g key="event">
      <circle cx="12" cy="12.5" r="7.5" />
      <path d="M12 8.5v4l2.5 2" />
    </g>,
    classes.script,
  ],
  UPLOAD_TEMPLATE: [DOCUMENT, classes.script],
  DATA_INSERT_TEMPLATE: [DOCUMENT, classes.script],
};

interface ItemIconProps {
  readonly type: ItemType;
  /** In pixels. */
  readonly size?: number;
}

/** The icon of an item; hidden from screen readers. */
export function ItemIcon({ type, size = 18 }: ItemIconProps) {
  const [shape, color] = ICONS[type];
  return (
    <svg
      className={color}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {shape}
    </svg>
  );
}
