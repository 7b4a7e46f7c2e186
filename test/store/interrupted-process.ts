import process from 'node:process';
import Sqlite from 'better-sqlite3';

// Changes the database of its argument in a transaction that a kill interrupts: the file has a part of the change.
const [, , file = ''] = process.argv;
const database = new Sqlite(file);
database.pragma('journal_mode = DELETE');
database.pragma('cache_size = 5');
database.exec(`
  BEGIN IMMEDIATE;
  CREATE TABLE interrupted AS
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 5000)
    SELECT randomblob(500) FROM numbers
`);
process.kill(process.pid, 'SIGKILL');
