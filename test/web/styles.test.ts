import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const web = path.resolve(import.meta.dirname, '../../web');
const styles = path.resolve(web, '../node_modules/@mantine/core/styles');

/** The components of Mantine that a file imports. */
function listComponents(text: string): readonly string[] {
  const imports = text.matchAll(/^import \{([^}]*)\} from '@mantine\/core';/gm);
  return [...imports].flatMap(([, names = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => /^[A-Z]/.test(name)),
  );
}

it('has the style sheet of each component that the pages use', () => {
  const files = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.tsx'),
  );
  const components = new Set(
    files.flatMap((file) => listComponents(readFileSync(path.join(web, file), 'utf8'))),
  );
  expect(components.size).toBeGreaterThan(30);
  const imported = readFileSync(path.join(web, 'styles.ts'), 'utf8');
  const missing = [...components].filter(
    (name) => existsSync(path.join(styles, `${name}.css`)) && !imported.includes(`/${name}.css'`),
  );
  expect(missing).toEqual([]);
});
