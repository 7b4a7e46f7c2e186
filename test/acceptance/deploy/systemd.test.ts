import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '../../support/quern.ts';
import { hasProgram, readBlocks, runProgram } from './tools.ts';

const hasSystemd = hasProgram('systemd-analyze', ['--version'], 'units of systemd');

/** Verifies the unit, whose program is a file of this machine. */
function verify(unit: string) {
  const folder = makeFolder();
  const program = path.join(folder, 'quern');
  writeFileSync(program, '#!/bin/sh\n');
  chmodSync(program, 0o755);
  const units = path.join(folder, 'units');
  mkdirSync(units);
  const file = path.join(units, 'quern.service');
  writeFileSync(file, unit.replace('/usr/bin/quern', program));
  return runProgram('systemd-analyze', ['verify', '--man=no', file]);
}

it.skipIf(!hasSystemd)('the documented unit of systemd is valid, and a wrong one is not', () => {
  const [unit = '', ports = '', secrets = ''] = readBlocks('docs/guides/deploy-systemd.md', 'ini');
  expect(verify(unit)).toEqual({ status: 0, output: '' });
  for (const lines of [ports, secrets]) {
    const changed = unit.replace('CapabilityBoundingSet=\n', lines);
    expect(changed).not.toBe(unit);
    expect(verify(changed)).toEqual({ status: 0, output: '' });
  }
  expect(verify(unit.replace('ProtectHome=yes', 'ProtectHomes=yes')).output).toContain("'ProtectHomes'");
  expect(verify(unit.replace('ExecStart=', 'ExecStart=no-path/')).status).not.toBe(0);
});
