export { isFolder as isFolderType } from '../../catalog/asset.ts';
