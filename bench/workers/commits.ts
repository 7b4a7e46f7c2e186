import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { readFigures } from '../measure.ts';

// commits FOLDER COUNT: inserts COUNT rows with better-sqlite3 alone into a new database in FOLDER, each durably committed.
const [parent = '', count = '1'] = process.argv.slice(2);

const folder = mkdtempSync(path.join(parent, 'commits-'));
const connection = new Sqlite(path.join(folder, 'peer.db'));
connection.pragma('journal_mode = WAL');
connection.pragma('synchronous = FULL');
connection.exec('CREATE TABLE contents (id INTEGER PRIMARY KEY, content TEXT NOT NULL) STRICT');
const insert = connection.prepare('INSERT INTO contents (content) VALUES (?)');
const [start, cpu] = [performance.now(), process.cpuUsage()];
for (let number = 0; number < Number(count); number++) insert.run(`SELECT ${number}`);
console.log(JSON.stringify(readFigures(start, cpu)));
connection.close();
rmSync(folder, { recursive: true });
