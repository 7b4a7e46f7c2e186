// `npm pack` runs this before it packs (strip) and after it (restore): the script `prepare` builds a checkout, and is not
// a part of the package.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const KEPT = '.package.json.unpacked';
const FILE = 'package.json';

if (process.argv[2] === 'strip') {
  const text = readFileSync(FILE, 'utf8');
  const { scripts, ...others } = JSON.parse(text);
  const kept = Object.entries(scripts).filter(([name]) => !/^(?:prepare|prepack|postpack)$/.test(name));
  writeFileSync(KEPT, text);
  writeFileSync(FILE, `${JSON.stringify({ ...others, scripts: Object.fromEntries(kept) }, null, 2)}\n`);
} else if (existsSync(KEPT)) {
  renameSync(KEPT, FILE);
}
