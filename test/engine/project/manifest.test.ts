import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseManifest, readManifest } from '../../../src/engine/project/manifest.ts';
import { DiagnosticError } from '../../../src/engine/text/diagnostic.ts';
import { createDecimal } from '../../../src/text/decimal.ts';
import { share } from '../../support/rotation.ts';

const FULL = `\ufeff# all there is
[general]
name = "acme.io/sales/core"
description = """
Sales, "quoted"
"""
version = "1.0.0"
since = 2026-03-01 07:30:00

[dependencies]
"acme.io/base" = { version = "1.0.0" }
'acme.io/money'.version = "2"

[environment]
default = "prod"
[environment.prod]
name = "Production"
connection = { name = "warehouse", overrides = { database = "dw", schema = "mart" } }
[environment.dev]
connection.name = "duckdb"
schema_prefix = "dev_"
parameters = { days = 1, strict = false }

[parameters]
days = 30
rate = 0.10
factor = 2.0
large = 12345678901234567890
region = "EU"
strict = true
lists = [1, ["a", 2.5], []]

[semantic]
default = "all"
[semantic.all]
name = "Full data"
path = "semantic/all"
environment = "prod"
[semantic.some]
path = "some"

[[unknown]]
big = 12345678901234567890
`;

function parse(text: string) {
  return parseManifest({ name: 'project.toml', text });
}

/** The errors of a manifest as `line:column message`. */
function errorsIn(text: string): string[] {
  const { errors = [] } = readManifest({ name: 'p/project.toml', text });
  return errors.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

const general = '[general]\nname = "a"\n';

describe('a manifest', () => {
  it('has every key of the reference, and ignores other keys', () => {
    expect(parse(FULL)).toEqual({
      general: { name: 'acme.io/sales/core', description: 'Sales, "quoted"\n', version: '1.0.0' },
      dependencies: new Map([
        ['acme.io/base', '1.0.0'],
        ['acme.io/money', '2'],
      ]),
      environments: {
        default: 'prod',
        byKey: new Map([
          [
            'prod',
            {
              name: 'Production',
              names: null,
              connection: { name: 'warehouse', overrides: { database: 'dw', schema: 'mart' } },
              parameters: {},
            },
          ],
          [
            'dev',
            {
              names: { prefix: 'dev_' },
              connection: { name: 'duckdb', overrides: {} },
              parameters: { days: 1, strict: false },
            },
          ],
        ]),
      },
      parameters: {
        days: 30,
        rate: createDecimal(1n, 1n),
        factor: createDecimal(20n, 1n),
        large: 12345678901234567890n,
        region: 'EU',
        strict: true,
        lists: [1, ['a', createDecimal(25n, 1n)], []],
      },
      semantic: {
        default: 'all',
        byKey: new Map([
          ['all', { name: 'Full data', path: 'semantic/all', environment: 'prod' }],
          ['some', { path: 'some' }],
        ]),
      },
      warnings: [
        expect.objectContaining({ line: 8, message: 'unknown key `since`' }),
        expect.objectContaining({ line: 42, message: 'unknown key `unknown`' }),
      ],
    });
  });

  it('has warnings about unknown tables and keys, with suggestions', () => {
    const text = `${general}versoin = "1"
[enviroment.prod]
connection = { name = "duckdb" }
[environment.dev]
connection = { name = "duckdb", overides = { schema = "x" } }
[environment.dev.conection]
[semantic.all]
path = "a"
enviroment = "dev"
[dependencies]
b = { version = "1", branch = "main" }
`;
    const { warnings = [] } = parse(text);
    expect(
      warnings.map(({ line, column, severity, message }) => `${line}:${column} ${severity} ${message}`),
    ).toEqual([
      '3:11 warning unknown key `versoin`, did you mean `version`?',
      '4:2 warning unknown table `[enviroment]`, did you mean `environment`?',
      '7:44 warning unknown table `[environment.dev.connection.overides]`, did you mean `overrides`?',
      '8:2 warning unknown key `conection`, did you mean `connection`?',
      '11:14 warning unknown key `enviroment`, did you mean `environment`?',
      '13:31 warning unknown key `branch`',
    ]);
  });

  it('needs only a name, and can have CRLF line ends', () => {
    for (const text of [general, general.replaceAll('\n', '\r\n'), 'general.name = "a"']) {
      expect(parse(text)).toEqual({
        general: { name: 'a' },
        dependencies: new Map(),
        environments: { default: null, byKey: new Map() },
        parameters: {},
        semantic: { default: null, byKey: new Map() },
      });
    }
  });

  it('can be sent to another process', () => {
    expect(structuredClone(parse(FULL))).toEqual(parse(FULL));
  });

  it('accepts names of built-in object properties', () => {
    const text = `${general}[dependencies]\n__proto__ = { version = "1" }\nconstructor = { version = "2" }\n`;
    const { dependencies } = parse(text);
    expect([...dependencies]).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ]);
  });
});

describe('parameters of a manifest', () => {
  it('have types that a script can use, and names that it can write', () => {
    const text = `${general}[environment.dev]
connection = { name = "duckdb" }
parameter = { days = 1 }
[environment.dev.parameters]
2x = 1
"max-rows" = 2
"$x" = 3
day = 2026-01-15
shop = { name = "a" }
days = [1, [2, { a = 3 }]]
ratio = nan
exact = 0.12345678901234567
[parameters]
days = [1979-05-27T07:32:00Z]
`;
    expect(errorsIn(text)).toEqual([
      '7:6 `2x` is not a parameter name: use letters, digits and _, and no digit at the start',
      '8:14 `max-rows` is not a parameter name: use letters, digits and _, and no digit at the start, such as `max_rows`',
      '9:8 `$x` is not a parameter name: use letters, digits and _, and no digit at the start, such as `x`',
      '10:7 `environment.dev.parameters.day` must be a string, a number, true or false, or a list of these, not a date or time: write a date as a string, such as "2026-01-15"',
      '11:8 `environment.dev.parameters.shop` must be a string, a number, true or false, or a list of these, not a table',
      '12:8 `environment.dev.parameters.days.1.1` must be a string, a number, true or false, or a list of these, not a table',
      '13:9 `environment.dev.parameters.ratio` is not a number: write it as a string',
      '14:9 `environment.dev.parameters.exact` has more than 15 digits: write it as a string',
      '16:8 `parameters.days.0` must be a string, a number, true or false, or a list of these, not a date or time: write a date as a string, such as "2026-01-15"',
    ]);
    expect(errorsIn(`${general}parameters = 1`)).toEqual([]);
    expect(errorsIn(`parameters = ["a"]\n${general}`)).toEqual([
      '1:14 `parameters` must be a table, not a list',
    ]);
    const { warnings = [] } = parse(
      `${general}[parameter]\ndays = 1\n[environment.a.connection]\nname = "x"\n[environment.a.paramters]`,
    );
    expect(warnings.map(({ message }) => message)).toEqual([
      'unknown table `[parameter]`, did you mean `parameters`?',
      'unknown key `paramters`, did you mean `parameters`?',
    ]);
  });
});

describe('a manifest with invalid TOML', () => {
  it('is rejected at the position where the parser stopped', () => {
    const error = catchError('[general]\r\nname = "a"\r\nversion = 1.x\r\n');
    expect(error.message.split('\n')).toEqual([
      'p/project.toml:3:13: error: invalid TOML: illegal character in numeric literal',
      '1 | [general]',
      '2 | name = "a"',
      '3 | version = 1.x',
      '  |             ^',
    ]);
  });

  it.each([
    ['[general', '1:2'],
    [`${general}name = "b"`, '3:1'],
    ['\u0000', '1:1'],
    ['a = "', '1:5'],
  ])('is rejected: %j at %s', (text, place) => {
    expect(errorsIn(text)).toEqual([expect.stringContaining(`${place} invalid TOML: `)]);
  });

  it('never crashes the reader after random changes', () => {
    const edit = fc.tuple(
      fc.nat(FULL.length),
      fc.nat(20),
      fc.constantFrom('', '"', "'", '[', ']', '{', '}', '.', '=', '\n', '#', ',', '1', 'x = 1\n', '\\'),
    );
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 4 }), (edits) => {
        const text = edits.reduce(
          (was, [at, cut, put]) => was.slice(0, at) + put + was.slice(at + cut),
          FULL,
        );
        const { manifest, errors } = readManifest({ name: 'p', text });
        expect(manifest === undefined).toBe(errors !== undefined && errors.length > 0);
      }),
      { numRuns: share(3000) },
    );
  });
});

function catchError(text: string): DiagnosticError {
  try {
    parseManifest({ name: 'p/project.toml', text });
  } catch (error) {
    if (error instanceof DiagnosticError) return error;
    throw error;
  }
  throw new Error('not refused');
}

describe('the errors of a manifest', () => {
  it('are reported together, in source order', () => {
    const text = `[general]
name = 7   # a number
version = 1.0

[dependencies]
"acme.io/base" = "1.0.0"
"acme.io/money" = { }

[environment]
default = "prdo"

[environment.prod]
connection = { name = true, overrides = { schema = 3 } }

[environment.dev]
name = [1]

[semantic.all]
environment = "pord"
path = "../elsewhere"

[semantic.other]
`;
    expect(errorsIn(text)).toEqual([
      '2:8 `general.name` must be a string, not a number',
      '3:11 `general.version` must be a string, not a number',
      '6:18 `dependencies."acme.io/base"` must be a table, not a string',
      '7:19 `[dependencies."acme.io/money"]` needs a `version`',
      '10:11 `[environment.prdo]` is not defined; did you mean `prod`?',
      '13:23 `environment.prod.connection.name` must be a string, not true or false',
      '13:52 `environment.prod.connection.overrides.schema` must be a string, not a number',
      '15:2 `[environment.dev]` needs a `connection`',
      '16:8 `environment.dev.name` must be a string, not a list',
      '19:15 `[environment.pord]` is not defined; did you mean `prod`?',
      '20:8 `../elsewhere` is not a folder inside the project; write a path such as `models` or `models/all`',
      '22:2 `[semantic.other]` needs a `path`',
    ]);
  });

  it('are printed with the line', () => {
    const { message } = catchError('[general]\nname = "std/x"\n');
    expect(message.split('\n')).toEqual([
      "p/project.toml:2:8: error: a project's name cannot start with `std`, which is the standard library",
      '1 | [general]',
      '2 | name = "std/x"',
      '  |        ^~~~~~~',
    ]);
  });

  it.each([
    ['', '1:1 `[general]` needs a `name`'],
    ['[general]\nversion = "1"', '1:2 `[general]` needs a `name`'],
    ['general = 1979-05-27', '1:11 `general` must be a table, not a date or time'],
    ['general = [{}]', '1:11 `general` must be a table, not a list'],
    [`environment = 1\n${general}`, '1:15 `environment` must be a table, not a number'],
    [`${general}[environment.default]\n`, '3:2 `environment.default` must be a string, not a table'],
    [`${general}[environment]\na = 1\n`, '4:5 `environment.a` must be a table, not a number'],
    [
      `${general}[environment]\na.connection = "x"\n`,
      '4:16 `environment.a.connection` must be a table, not a string',
    ],
    [`${general}[environment.a.connection]\n`, '3:2 `[environment.a.connection]` needs a `name`'],
    [`${general}[[dependencies]]\n`, '3:3 `dependencies` must be a table, not a list'],
  ])('are reported for %j: %s', (text, error) => {
    expect(errorsIn(text)).toEqual([error]);
  });

  it.each(['', '/', 'a/', '/a', 'a//b', 'a/./b', '../a'])('include the invalid project name %j', (name) => {
    const message = `a project's name cannot have an empty, \`.\` or \`..\` part between slashes: \`${name}\``;
    expect(errorsIn(`[general]\nname = '${name}'`)).toEqual([`2:8 ${message}`]);
    expect(errorsIn(`${general}[dependencies]\n'${name}' = { version = "1" }`)).toEqual([
      expect.stringContaining(message),
    ]);
  });

  it.each(['std', 'std/time'])('include the reserved project name %j', (name) => {
    expect(errorsIn(`[general]\nname = '${name}'`)).toHaveLength(1);
  });

  it('do not include std later in a project name', () => {
    expect(parse('general.name = "acme/std"').general.name).toBe('acme/std');
    expect(parse('general.name = "stdio"').general.name).toBe('stdio');
  });

  it('are found after every kind of TOML value', () => {
    const text = `\ufeff# [general] name = 1
a = """ [general] \\""" name = 1 """""
b = ''' it's # 'x' '''''
c = [ "]", # ]
  ['}'], { k = "}" , "l\\"" = 1 }, ]
d = { e.f = 1,
  # comment
  g = [], }
h = 1979-05-27 07:32:00 # [x]
"gen\\u0065ral" . 'name' = 5
`;
    expect(errorsIn(text)).toEqual(['10:27 `general.name` must be a string, not a number']);
  });
});

describe('a manifest that is too large', () => {
  const NESTED = 'too large: tables, lists and parts of keys are nested more than 32 deep';

  it.each([
    ['characters', `#${'x'.repeat(65_536)}`, 'too large: it has more than 65,536 characters'],
    ['parts of a key', `${'a.'.repeat(32)}a = 1`, NESTED],
    ['parts of a header', `[${'a.'.repeat(32_000)}a]`, NESTED],
    ['keys', Array.from({ length: 5_001 }, (_, i) => `k${i}=1`).join('\n'), 'it has more than 5,000 keys'],
    ['values', `a = [${'1,'.repeat(5_001)}]`, 'it has more than 5,000 keys'],
    [
      'lists in lists',
      `a = ${'['.repeat(40)}${']'.repeat(40)}`,
      'invalid TOML: document contains excessively',
    ],
  ])('is rejected by its %s', (_, text, message) => {
    expect(errorsIn(text)).toEqual([expect.stringContaining(message)]);
  });

  it('is accepted up to these limits', () => {
    const deep = `${'a.'.repeat(31)}a = 1\n${Array.from({ length: 4_900 }, (_, i) => `k${i}=1`).join('\n')}\n`;
    const { manifest } = readManifest({ name: 'project.toml', text: `${deep}[general]\nname = "acme"` });
    expect(manifest?.warnings).toHaveLength(4_901);
  });
});
