import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.join(import.meta.dirname, '../openpyxl');
const PYTHON = path.join(FOLDER, '.venv/bin/python');

/** Whether openpyxl, a reader of workbooks that is not ours, is installed. */
export const hasOpenpyxl = existsSync(PYTHON);
if (!hasOpenpyxl) console.warn('skipped: .ci/run installs openpyxl into test/openpyxl/.venv');

/** A cell: its type in openpyxl (`n`, `s`, `d`, `b`, `f`), its value as Python prints it, and whether it is bold. */
type PythonCell = readonly [type: string, value: string, isBold: boolean];

interface PythonSheet {
  /** The first cell that is not frozen. */
  readonly frozen: string | null;
  readonly rows: readonly (readonly (PythonCell | null)[])[];
}

/** The first sheet of a workbook, as openpyxl reads it. */
export function readWithOpenpyxl(file: string): PythonSheet {
  const text = execFileSync(PYTHON, [path.join(FOLDER, 'read.py'), file], { encoding: 'utf8' });
  return JSON.parse(text) as PythonSheet;
}
