import { describe, expect, it } from 'vitest';
import {
  INCREMENTALS,
  OPTION_KEYS,
  PUBLICATION_KEYS,
  PUBLICATION_TYPES,
} from '../../src/engine/script/values/publication.ts';
import { LIBRARIES } from '../../src/engine/script/values/stdlib.ts';
import { readPage } from '../support/pages.ts';

/** The part of a page below the heading, up to the next heading. */
function readSection(page: string, heading: string): string {
  const [, section = ''] = readPage(page).split(`\n## ${heading}\n`);
  return section.split('\n## ')[0] ?? '';
}

describe('the page of the library', () => {
  it.each(Object.entries(LIBRARIES))('describes std/%s', (library, members) => {
    const section = readSection('docs/reference/library.md', `std/${library}`);
    const missing = Object.entries(members).filter(([name, member]) =>
      member.kind === 'constant' ? !section.includes(`\`${name}\``) : !section.includes(`\`${name}(`),
    );
    expect(missing.map(([name]) => name)).toEqual([]);
  });

  it('names the parameters of each function', () => {
    const missing = Object.entries(LIBRARIES).flatMap(([library, members]) => {
      const section = readSection('docs/reference/library.md', `std/${library}`);
      return Object.entries(members).flatMap(([name, member]) => {
        if (member.kind === 'constant') return [];
        const calls = section.match(new RegExp(`\`${name}\\([^\`]*\\)\``, 'g')) ?? [];
        const unnamed = member.params.filter((own) => !calls.some((call) => call.includes(own.name)));
        return unnamed.map((own) => `${library}.${name}: ${own.name}`);
      });
    });
    expect(missing).toEqual([]);
  });
});

describe('the page of publications', () => {
  it('describes every key and type', () => {
    const section = readSection('docs/reference/publishing.md', 'Keys');
    const keys = new Set(Object.values(PUBLICATION_KEYS).flat());
    const known = [...keys].map((key) => `\`:${key}\``);
    const values = [...PUBLICATION_TYPES, ...INCREMENTALS].map((value) => `\`"${value}"\``);
    expect([...known, ...values].filter((text) => !section.includes(text))).toEqual([]);
  });

  it('describes every option of a file', () => {
    const section = readSection('docs/reference/publishing.md', 'Files');
    const options = new Set(Object.values(OPTION_KEYS).flat());
    expect([...options].filter((option) => !section.includes(`\`:${option}\``))).toEqual([]);
  });
});
