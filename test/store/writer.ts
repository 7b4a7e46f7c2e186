import { createInterface } from 'node:readline';
import { openDatabase } from '../../src/store/database.ts';

// A process that writes to a home: `writer.ts HOME` prints `ready`. For each line, a JSON list of statements, it runs
// one write and prints how many rows each statement has changed.

const database = openDatabase(process.argv[2]!, { clock: () => new Date() });
process.stdout.write('ready\n');
for await (const line of createInterface(process.stdin)) {
  const statements: readonly string[] = JSON.parse(line);
  const changes = database.write(() => statements.map((sql) => database.statement(sql).run()));
  process.stdout.write(`${JSON.stringify(changes)}\n`);
}
