import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  CAPABILITIES,
  CAPABILITY_TEXTS,
  type Capabilities,
} from '../engine/connection/conformance/capabilities.ts';

const page = path.resolve(import.meta.dirname, '../../docs/reference/drivers.md');
const suite = path.resolve(import.meta.dirname, '../engine/connection/conformance');

function printTable(): string {
  const drivers = Object.entries<Capabilities>(CAPABILITIES);
  const head = [
    `| | ${drivers.map(([name]) => name).join(' | ')} |`,
    `|---|${'---|'.repeat(drivers.length)}`,
  ];
  const rows = Object.entries(CAPABILITY_TEXTS).map(([key, text]) => {
    const cells = drivers.map(([, can]) =>
      Object.entries(can).some(([own, is]) => own === key && is) ? 'yes' : 'no',
    );
    return `| ${text} | ${cells.join(' | ')} |`;
  });
  return [...head, ...rows].join('\n');
}

describe('the page of drivers', () => {
  it('contains the table of capabilities', async () => {
    const text = readFileSync(page, 'utf8');
    const written = text.replace(
      /(<!-- generated: .* -->\n)[\s\S]*(?=<!-- end -->)/,
      (_, head: string) => `${head}${printTable()}\n`,
    );
    expect(written).toContain('| temporary tables of a session | yes | yes | yes | no |');
    await expect(written).toMatchFileSnapshot(page);
  });

  it('names tests that the suite has', () => {
    const sources = readdirSync(suite).map((file) => readFileSync(path.join(suite, file), 'utf8'));
    const [, section = ''] = readFileSync(page, 'utf8').split('## Requirements of every driver');
    const rows = section.split(/^## /m)[0]?.match(/^\| .*`.*`.* \|$/gm) ?? [];
    const titles = rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, title = '']) => title));
    expect(titles.length).toBeGreaterThan(20);
    expect(titles.filter((title) => !sources.some((source) => source.includes(`('${title}'`)))).toEqual([]);
  });
});
