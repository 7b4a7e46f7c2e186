import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PublicationRaceError } from '../../../src/engine/run/outcome/errors.ts';
import { waitUntil } from '../../support/waiting.ts';
import { createPublisher } from './publishing-session.ts';

const publishing = (publication: string, body: string) =>
  `#+import "std/publication"\n#+src sql A() #+meta { :publication { ${publication} } } #+begin\n${body}\n#+end\n` +
  '{{ publication.Run(blocks=[A]) }};';

const LOST =
  /the publication of `[\w.]+` failed because something else changed it at the same time: run it again/;

async function expectRace(published: Promise<void>, script: string, value: string): Promise<void> {
  const error: unknown = await published.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(PublicationRaceError);
  const { diagnostics } = error as PublicationRaceError;
  const column = script.split('\n')[1]!.indexOf(value) + 1;
  expect(diagnostics).toMatchObject([{ message: expect.stringMatching(LOST), line: 2, column }]);
}

describe('a publication that loses a race', () => {
  it.each([
    [
      'a table',
      ':type "table", :schema "main", :name "t"',
      'CREATE OR REPLACE TABLE t AS SELECT 1 AS x, 1 AS y',
    ],
    ['rows', ':type "table", :name "t", :incremental "merge", :unique_key ["x"]', 'UPDATE t SET y = 1'],
  ])('reports an error and keeps the other change: %s', async (_, publication, change) => {
    const publisher = await createPublisher();
    const [own, other] = [await publisher.open(), await publisher.open()];
    await other.rows('CREATE TABLE t AS SELECT 1 AS x, 0 AS y');
    await other.rows('BEGIN');
    await other.rows(change);
    const script = publishing(publication, 'SELECT 1 AS x, 2 AS y');
    await expectRace(own.publish(script), script, '"t"');
    await other.rows('COMMIT');
    expect(await own.rows('SELECT x, y FROM t')).toEqual([[1, 1]]);
    await own.publish(publishing(':type "table", :name "t"', 'SELECT 5 AS x'));
    expect(await other.rows('FROM t')).toEqual([[5]]);
  });

  it('reports an error and keeps the other file', async () => {
    const publisher = await createPublisher();
    const session = await publisher.open();
    const script = publishing(':type "csv", :path "a.csv"', 'SELECT range AS x FROM range(4000000)');
    const published = expectRace(session.publish(script), script, '"a.csv"');
    await waitUntil(() => publisher.list().length > 0);
    writeFileSync(path.join(publisher.directory, 'a.csv'), 'mine');
    await published;
    expect(publisher.list()).toEqual(['a.csv']);
    expect(publisher.read('a.csv')).toBe('mine');
  });

  it('cannot happen with `:overwrite true`: the last file wins', async () => {
    const publisher = await createPublisher();
    const session = await publisher.open();
    const publication = ':type "csv", :path "a.csv", :options { :overwrite true }';
    const published = session.publish(publishing(publication, 'SELECT range AS x FROM range(2000000)'));
    await waitUntil(() => publisher.list().length > 0);
    writeFileSync(path.join(publisher.directory, 'a.csv'), 'mine');
    await published;
    expect(publisher.read('a.csv')).toMatch(/^0\n1\n2\n/);
  });
});
