import {
  IconAdjustments,
  IconAlertTriangle,
  IconArrowsMaximize,
  IconArrowsMinimize,
  IconArrowUp,
  IconBook,
  IconCalendarEvent,
  IconChartBar,
  IconCheck,
  IconChevronDown,
  IconCircleX,
  IconCopy,
  IconDatabase,
  IconDeviceDesktop,
  IconDots,
  IconDownload,
  IconFile,
  IconFileCode,
  IconFileSettings,
  IconFileText,
  IconFolder,
  IconFolderCode,
  IconHistory,
  IconHome,
  IconKey,
  IconKeyboard,
  IconLayoutSidebar,
  IconLayoutSidebarRight,
  IconListTree,
  IconLock,
  IconLogout,
  IconMenu2,
  IconMoon,
  IconPin,
  IconPlayerPlayFilled,
  IconPlayerStop,
  IconPlus,
  IconRefresh,
  IconSearch,
  IconSortAscending,
  IconSortDescending,
  IconSun,
  IconTable,
  IconTerminal2,
  IconTrash,
  IconUpload,
  IconUser,
  IconUserPlus,
  IconUsers,
  IconUsersGroup,
  IconX,
  type TablerIcon,
} from '@tabler/icons-react';

interface IconProps {
  /** In pixels. */
  readonly size?: number | undefined;
  readonly className?: string | undefined;
}

/** An icon in the style of the console; hidden from screen readers, because text next to it has its meaning. */
function style(Shape: TablerIcon) {
  return ({ size = 18, className }: IconProps) => (
    <Shape size={size} stroke={1.8} className={className} aria-hidden="true" />
  );
}

export const AdministrationIcon = style(IconAdjustments);
export const ArrowUpIcon = style(IconArrowUp);
export const BookIcon = style(IconBook);
export const ChartIcon = style(IconChartBar);
export const CheckIcon = style(IconCheck);
export const ChevronIcon = style(IconChevronDown);
export const CloseIcon = style(IconX);
export const CollapseIcon = style(IconLayoutSidebar);
export const CopyIcon = style(IconCopy);
export const DatabaseIcon = style(IconDatabase);
export const DocumentIcon = style(IconFileText);
export const DownloadIcon = style(IconDownload);
export const ErrorIcon = style(IconCircleX);
export const EventIcon = style(IconCalendarEvent);
export const FolderIcon = style(IconFolder);
export const GroupIcon = style(IconUsersGroup);
export const HomeIcon = style(IconHome);
export const KeyIcon = style(IconKey);
export const InviteIcon = style(IconUserPlus);
export const LockIcon = style(IconLock);
export const ManifestIcon = style(IconFileSettings);
export const MaximizeIcon = style(IconArrowsMaximize);
export const MenuIcon = style(IconMenu2);
export const MinimizeIcon = style(IconArrowsMinimize);
export const MoonIcon = style(IconMoon);
export const MoreIcon = style(IconDots);
export const PinIcon = style(IconPin);
export const PlayIcon = style(IconPlayerPlayFilled);
export const PlusIcon = style(IconPlus);
export const ProjectIcon = style(IconFolderCode);
export const ReloadIcon = style(IconRefresh);
export const SearchIcon = style(IconSearch);
export const ServiceIcon = style(IconFileCode);
export const SideIcon = style(IconLayoutSidebarRight);
export const SignOutIcon = style(IconLogout);
export const SortDownIcon = style(IconSortDescending);
export const SortUpIcon = style(IconSortAscending);
export const SqlIcon = style(IconTerminal2);
export const StopIcon = style(IconPlayerStop);
export const SunIcon = style(IconSun);
export const SystemIcon = style(IconDeviceDesktop);
export const TableIcon = style(IconTable);
export const HistoryIcon = style(IconHistory);
export const KeyboardIcon = style(IconKeyboard);
export const TemplateIcon = style(IconFile);
export const TrashIcon = style(IconTrash);
export const TreeIcon = style(IconListTree);
export const UploadIcon = style(IconUpload);
export const UserIcon = style(IconUser);
export const UsersIcon = style(IconUsers);
export const WarningIcon = style(IconAlertTriangle);
