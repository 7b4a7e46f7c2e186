import { describe, expect, it } from 'vitest';
import { fillPage, listParts, PARTS } from '../../scripts/docs/fill-page.ts';
import { COMMANDS } from '../../src/cli/table/commands.ts';
import { PAGES, readPage } from '../support/pages.ts';

/** Parts that another test writes. */
const WRITTEN_ELSEWHERE = ['a test writes this table'];

describe('the generated parts of pages', () => {
  it.each(PAGES)('are up to date in %s', (page) => {
    const text = readPage(page);
    expect(text, 'run `npm run docs`').toBe(fillPage(text));
  });

  it('appear once each, and no other part has the form of one', () => {
    const found = PAGES.flatMap((page) => listParts(readPage(page)));
    expect(found.toSorted()).toEqual([...PARTS.keys(), ...WRITTEN_ELSEWHERE].toSorted());
    const begun = PAGES.flatMap((page) => readPage(page).match(/<!-- generated/g) ?? []);
    expect(begun.length).toBe(found.length);
  });

  it('contain each argument and option of the commands', () => {
    const text = PAGES.map(readPage).join('');
    for (const { name, args, options } of COMMANDS) {
      const part = text.slice(text.indexOf(`<!-- generated: quern ${name} -->`)).split('<!-- end -->')[0];
      for (const { flags } of options) expect(part).toContain(`| \`${flags.replaceAll('|', '\\|')}\` |`);
      for (const arg of args) expect(part).toContain(`| \`${arg.name}\` |`);
    }
  });

  it('are written again when their source changes', () => {
    const old = '# Page\n\n<!-- generated: quern ps -->\nold\n<!-- end -->\n\nStays.\n';
    const filled = fillPage(old);
    expect(filled).toContain('List running and queued executions of the server.');
    expect(filled).not.toContain('old');
    expect(filled).toMatch(/^# Page\n\n<!-- generated: quern ps -->\n[\s\S]*\n<!-- end -->\n\nStays\.\n$/);
    expect(fillPage(filled)).toBe(filled);
    const unknown = '<!-- generated: something else -->\nstays\n<!-- end -->';
    expect(fillPage(unknown)).toBe(unknown);
  });
});
