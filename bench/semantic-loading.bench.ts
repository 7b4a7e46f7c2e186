import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseDocument } from 'yaml';
import { listModelFiles } from '../src/semantic/model/load/list-model-files.ts';
import { createModelRegistry } from '../src/semantic/model/load/model-registry.ts';
import { readModel } from '../src/semantic/model/load/read-model.ts';
import type { Bench, Figures } from './bench.ts';
import { readFigures } from './measure.ts';
import { printModel, WAREHOUSE } from './warehouse.ts';

// Measures the time to read a model of 200 entities and 5,000 fields, and to read it again after a change of one file.
const whole = printModel(WAREHOUSE);

function measure(work: () => void): () => Promise<Figures> {
  return async () => {
    const [start, cpu] = [performance.now(), process.cpuUsage()];
    work();
    return readFigures(start, cpu);
  };
}

const place = { path: mkdtempSync(path.join(tmpdir(), 'quern-bench-model-')), cwd: tmpdir() };
process.on('exit', () => rmSync(place.path, { recursive: true }));
for (const entity of WAREHOUSE) write(printModel([entity], `${entity.name}.yaml`).text, entity.name);

function write(text: string, name: string): void {
  writeFileSync(path.join(place.path, `${name}.yaml`), text);
}

const registry = createModelRegistry();
let changes = 0;

/** Reads a model in a folder after one of its files has changed. */
async function readChanged(): Promise<Figures> {
  changes += 1;
  const entity = WAREHOUSE[(changes * 7) % WAREHOUSE.length]!;
  write(printModel([entity]).text.replace('amount_0', `amount_0 + ${changes}`), entity.name);
  return measure(() => {
    const { isCurrent } = registry.load('model', listModelFiles(place));
    if (!isCurrent) throw new Error('the model has errors');
  })();
}

export const benches: readonly Bench[] = [
  {
    name: 'a model of 200 entities read from one text ÷ the same text parsed by the YAML library alone',
    peerName: 'YAML library',
    runs: 15,
    ours: measure(() => {
      if (readModel([whole]).model === null) throw new Error('the model has errors');
    }),
    peer: measure(() => void parseDocument(whole.text, { uniqueKeys: false, prettyErrors: false })),
    limits: [
      { metric: 'wall', most: 2 },
      { metric: 'cpu', most: 2 },
    ],
  },
  {
    name: 'a model read again after one of its 200 files on disk has changed',
    peerName: '',
    runs: 60,
    ours: readChanged,
    limits: [
      { metric: 'wall', most: 20, compare: 'alone' },
      { metric: 'cpu', most: 20, compare: 'alone' },
    ],
  },
];
