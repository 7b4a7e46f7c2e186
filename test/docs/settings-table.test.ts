import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { flagOf, type Setting } from '../../src/settings/setting.ts';
import { SETTINGS } from '../../src/settings/table.ts';

const page = path.resolve(import.meta.dirname, '../../docs/reference/settings.md');

/** A setting as a row of a Markdown table. */
function printCell(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}

function printTable(): string {
  const code = (text: string | undefined) => (text ? `\`${text}\`` : '');
  const rows = Object.values<Setting>(SETTINGS).map((setting) => {
    const { key, variable, range, shownDefault, text } = setting;
    const cells = [code(key), code(flagOf(setting)), code(variable), text, range, shownDefault];
    return `| ${cells.map(printCell).join(' | ')} |`;
  });
  const head = ['| Key | Option | Variable | | Values | Default |', '|---|---|---|---|---|---|'];
  return [...head, ...rows].join('\n');
}

it('the page of settings contains the table of the source', async () => {
  const text = readFileSync(page, 'utf8');
  const written = text.replace(/(<!-- generated: .* -->\n)[\s\S]*(?=<!-- end -->)/, `$1${printTable()}\n`);
  expect(written).toContain(
    '| `server.port` | `--port` | `QUERN_PORT` | port to listen on; 0 selects a free port |',
  );
  await expect(written).toMatchFileSnapshot(page);
});
