import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = path.resolve(import.meta.dirname, '../..');
const templates = path.join(root, '.github/ISSUE_TEMPLATE');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

const text = Type.String({ minLength: 1 });
const closed = { additionalProperties: false };
const validations = Type.Optional(Type.Object({ required: Type.Boolean() }, closed));
const labelled = { label: text, description: Type.Optional(text) };
const question = { id: Type.String({ pattern: '^[a-z_-]+$' }), validations };
const texts = Type.Object(
  { ...labelled, placeholder: Type.Optional(text), value: Type.Optional(text), render: Type.Optional(text) },
  closed,
);

/** The form of an issue, as the documentation of GitHub describes it ("Syntax for issue forms"). */
const FormSchema = Type.Object(
  {
    name: text,
    description: text,
    labels: Type.Optional(Type.Array(text)),
    body: Type.Array(
      Type.Union([
        Type.Object(
          { type: Type.Literal('markdown'), attributes: Type.Object({ value: text }, closed) },
          closed,
        ),
        Type.Object({ type: Type.Literal('input'), ...question, attributes: texts }, closed),
        Type.Object({ type: Type.Literal('textarea'), ...question, attributes: texts }, closed),
        Type.Object(
          {
            type: Type.Literal('dropdown'),
            ...question,
            attributes: Type.Object(
              { ...labelled, options: Type.Array(text, { minItems: 1, uniqueItems: true }) },
              closed,
            ),
          },
          closed,
        ),
        Type.Object(
          {
            type: Type.Literal('checkboxes'),
            ...question,
            attributes: Type.Object(
              { ...labelled, options: Type.Array(Type.Object({ label: text }, closed), { minItems: 1 }) },
              closed,
            ),
          },
          closed,
        ),
      ]),
      { minItems: 1 },
    ),
  },
  closed,
);
const form = Compile(FormSchema);

/** The sections of `.editorconfig`, by pattern. */
function readEditorConfig(): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const sections = new Map<string, Record<string, string>>();
  let section = '';
  for (const line of read('.editorconfig').split('\n')) {
    const [, pattern] = /^\[(.*)\]$/.exec(line) ?? [];
    section = pattern ?? section;
    const [, key, value] = /^(\w+) = (.+)$/.exec(line) ?? [];
    const own = sections.get(section) ?? {};
    if (key !== undefined && value !== undefined) sections.set(section, { ...own, [key]: value });
  }
  return sections;
}

describe('a form for issues', () => {
  const forms = readdirSync(templates).filter((file) => file.endsWith('.yml') && file !== 'config.yml');

  it.each(forms)('has the form that GitHub reads: %s', (file) => {
    const content: unknown = parse(readFileSync(path.join(templates, file), 'utf8'));
    expect(form.Errors(content)).toEqual([]);
  });

  it.each(forms)('has questions with different ids and labels: %s', (file) => {
    const { body } = form.Parse(parse(readFileSync(path.join(templates, file), 'utf8')));
    const ids = body.flatMap((item) => ('id' in item ? [item.id] : []));
    const labels = body.flatMap((item) => ('label' in item.attributes ? [item.attributes.label] : []));
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(labels).size).toBe(labels.length);
  });

  it('may not have other keys', () => {
    const item = { type: 'input', id: 'a', attributes: { label: 'A', option: [] } };
    expect(form.Errors({ name: 'a', description: 'b', body: [item] })).not.toEqual([]);
    expect(form.Errors({ name: 'a', description: 'b', body: [] })).not.toEqual([]);
  });

  it('replaces blank issues', () => {
    expect(parse(readFileSync(path.join(templates, 'config.yml'), 'utf8'))).toEqual({
      blank_issues_enabled: false,
    });
  });
});

describe('the template of pull requests', () => {
  it('names files and commands that exist', () => {
    const template = read('.github/pull_request_template.md');
    const names = [...template.matchAll(/`([\w./-]+)`/g)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
    expect(template).toContain('`npm run check`');
  });
});

describe('.editorconfig', () => {
  const sections = readEditorConfig();
  const { formatter }: { formatter: Readonly<Record<string, unknown>> } = JSON.parse(read('biome.json'));

  it('agrees with the formatter', () => {
    expect(sections.get('*')).toMatchObject({
      indent_style: formatter.indentStyle,
      indent_size: String(formatter.indentWidth),
      end_of_line: 'lf',
    });
    expect(sections.get('*.{js,ts,tsx,json}')).toEqual({ max_line_length: String(formatter.lineWidth) });
  });

  it('is the outermost one', () => {
    expect(sections.get('')).toEqual({ root: 'true' });
  });
});

describe('SECURITY', () => {
  it('names a private way to report, and no address that does not exist', () => {
    const page = read('SECURITY.md');
    expect(page).toContain('private vulnerability reports');
    expect(page).not.toMatch(/[\w.]+@[\w.]+|https?:/);
  });
});
