import { getName, getParentPath, joinPath, PERSONAL } from '../../../api/catalog/catalog-paths.ts';
import type { PlacedText } from '../../../api/editor/check-script.ts';
import { isQuery } from '../workspace/tab.ts';

/** The text of a tab in place of its script; a query is a new script in the user's folder, and can call what this contains. */
export function placeText(key: string, content: string): PlacedText {
  if (isQuery(key)) return { base: PERSONAL, path: key, content };
  return { base: getParentPath(key), path: getName(key), content };
}

/** The path by which the server names the text of a tab in messages. */
export function printPlace(key: string): string {
  return isQuery(key) ? joinPath(PERSONAL, key) : key;
}
