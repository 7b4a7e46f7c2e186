import fc from 'fast-check';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { setTomlValue } from '../../../src/engine/project/edit-toml.ts';

const port = { table: 'server', key: 'port' };

describe('a value of a TOML document', () => {
  it.each([
    ['', '[server]\nport = 1\n'],
    ['[users]\nrole = "x"', '[users]\nrole = "x"\n\n[server]\nport = 1\n'],
    ['[server]', '[server]\nport = 1\n'],
    ['[server] # mine\n\n[users]\n', '[server] # mine\nport = 1\n\n[users]\n'],
    ['[server]\r\nhost = "h"\r\n', '[server]\r\nhost = "h"\r\nport = 1\r\n'],
    ['[server]\nhost = "h" # here\n\n# end\n', '[server]\nhost = "h" # here\nport = 1\n\n# end\n'],
    [
      '# a\n[server]\n  port   =   8080   # b\nhost = "h"\n',
      '# a\n[server]\n  port   =   1   # b\nhost = "h"\n',
    ],
    ['[server]\nport = [\n 1, # one\n]\n', '[server]\nport = 1\n'],
    ['[ "server" ]\n"port" = 2', '[ "server" ]\n"port" = 1'],
    ['server.host = "h"\n[users]\n', 'server.host = "h"\nserver.port = 1\n[users]\n'],
    ['server.port = 2 # x', 'server.port = 1 # x'],
    ['server = { port = 2, host = "h" }', 'server = { port = 1, host = "h" }'],
    ['\ufeff[server]\nhost = "h"\n', '\ufeff[server]\nhost = "h"\nport = 1\n'],
    ['[server]\nnote = """\nport = 9\n"""\n', '[server]\nnote = """\nport = 9\n"""\nport = 1\n'],
  ])('is set in place: %j', (text, edited) => {
    expect(setTomlValue(text, port, 1)).toBe(edited);
  });

  it.each([
    'server = { host = "h" }',
    'server = 5\n',
    '[[server]]\nhost = "h"\n',
    '[server.port]\nx = 1\n',
    '[server\n',
  ])('is not set if other parts would have to change: %j', (text) => {
    expect(setTomlValue(text, port, 1)).toBeNull();
  });

  it.each([
    ['"\\\n\u007f\u0001é', '"\\"\\\\\\n\\u007f\\u0001é"'],
    [true, 'true'],
    [['10.0.0.0/8', 'a"b'], '[ "10.0.0.0/8", "a\\"b" ]'],
  ])('is written in TOML syntax: %j', (value, printed) => {
    expect(setTomlValue('', port, value)).toBe(`[server]\nport = ${printed}\n`);
  });

  it('is set without other changes', () => {
    const line = fc.constantFrom(
      '[server]',
      '[users]',
      '[server] # c',
      'port = 8 # p',
      'host = "a#b"',
      'server.port = 7',
      "server.host = '\"'",
      'list = [ 1, # x\n 2 ]',
      '# [server]',
      '',
      '  role = """\n[server]\n"""  ',
    );
    let done = 0;
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), (lines, newline) => {
        const text = lines.join(newline);
        const edited = setTomlValue(text, port, 1);
        if (edited === null) return;
        done += 1;
        expect(parse(edited)).toMatchObject({ server: { port: 1 } });
        const kept = text.replaceAll(/port = \d/g, '').split(/\s+/);
        const left = edited.replaceAll(/port = \d/g, '').split(/\s+/);
        for (const word of kept) expect(left).toContain(word);
      }),
    );
    expect(done).toBeGreaterThan(10);
  });
});
