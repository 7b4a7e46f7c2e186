import { getName, getParentPath, joinPath } from '../../../api/catalog/catalog-paths.ts';
import type { PlacedText } from '../../../api/editor/check-script.ts';
import { isQuery } from '../workspace/tab.ts';

/** Where queries run: they can call what the user's folder contains. */
const QUERY_FOLDER = '@Personal';

/** The text of a tab in place of its script; a query is a new script in the user's folder. */
export function placeText(key: string, content: string): PlacedText {
  if (isQuery(key)) return { base: QUERY_FOLDER, path: key, content };
  return { base: getParentPath(key), path: getName(key), content };
}

/** The path by which the server names the text of a tab in messages. */
export function printPlace(key: string): string {
  return isQuery(key) ? joinPath(QUERY_FOLDER, key) : key;
}
