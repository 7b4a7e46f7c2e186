import { COMMAND_PARTS } from './command-parts.ts';
import { ENDPOINT_PARTS } from './endpoint-parts.ts';
import { SETTING_PARTS } from './setting-parts.ts';

/** The generated parts of pages, by the name in the comment that begins them. */
export const PARTS: ReadonlyMap<string, () => string> = new Map(
  Object.entries({ ...COMMAND_PARTS, ...SETTING_PARTS, ...ENDPOINT_PARTS }),
);

const PART = /^<!-- generated: (?<name>.*) -->\n[\s\S]*?^<!-- end -->$/gm;

/** The names of the generated parts of a page, in order. */
export function listParts(page: string): readonly string[] {
  return [...page.matchAll(PART)].flatMap(({ groups }) => groups?.name ?? []);
}

/** A page with its generated parts written again; a part of an unknown name stays. */
export function fillPage(page: string): string {
  return page.replaceAll(PART, (part, name: string) => {
    const print = PARTS.get(name);
    return print === undefined ? part : `<!-- generated: ${name} -->\n${print()}\n<!-- end -->`;
  });
}
