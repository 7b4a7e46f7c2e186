import { findBanned } from './find-banned.ts';

// Lists the banned constructions of the files below the given paths: `node test/words/list.ts src/engine docs`.
for (const { file, line, text, use } of findBanned(process.argv.slice(2))) {
  console.log(`${file}:${line}: ${text}  -> ${use}`);
}
