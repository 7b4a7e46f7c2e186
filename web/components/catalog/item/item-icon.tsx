import type { ComponentProps, ComponentType } from 'react';
import type { ItemType } from '../../../api/catalog/catalog.ts';
import {
  DocumentIcon,
  EventIcon,
  FolderIcon,
  HomeIcon,
  ManifestIcon,
  ProjectIcon,
  ServiceIcon,
  TemplateIcon,
} from '../../icons.tsx';
import classes from './item.module.css';

/** The icon and the colour class of each type. */
const ICONS: Readonly<
  Record<ItemType, readonly [ComponentType<ComponentProps<typeof FolderIcon>>, string | undefined]>
> = {
  REGULAR_FOLDER: [FolderIcon, classes.folder],
  USER_HOME: [HomeIcon, classes.folder],
  PROJECT: [ProjectIcon, classes.project],
  SQL_SCRIPT: [DocumentIcon, classes.script],
  SERVICE_SCRIPT: [ServiceIcon, classes.blocks],
  PROJECT_MANIFEST: [ManifestIcon, classes.project],
  SCHEDULED_EVENTS: [EventIcon, classes.script],
  UPLOAD_TEMPLATE: [TemplateIcon, classes.script],
  DATA_INSERT_TEMPLATE: [TemplateIcon, classes.script],
};

interface ItemIconProps {
  readonly type: ItemType;
  /** In pixels. */
  readonly size?: number;
}

/** The icon of an item; hidden from screen readers. */
export function ItemIcon({ type, size }: ItemIconProps) {
  const [Icon, color] = ICONS[type];
  return <Icon size={size} className={color} />;
}
