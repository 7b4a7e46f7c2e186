import type { Platform } from '../../src/semantic/model/model.ts';
import { startGoogleSql } from '../support/googlesql.ts';
import { openClickHouseShop } from './clickhouse-shop.ts';
import { loadGoogleShop, runGoogle } from './google-shop.ts';
import { hasPlatform, openShop, RUNS, type ShopDatabase } from './shop-database.ts';

/** Runs the SQL of a platform over the shop's tables. */
export type ShopRunner = Pick<ShopDatabase, 'run'> & { close(): unknown };

interface ShopRunners {
  /** Each platform whose SQL runs in the tests, whether its engine is available, and how to open it. */
  readonly runners: readonly (readonly [
    platform: Platform,
    isThere: boolean,
    open: () => Promise<ShopRunner>,
  ])[];
  /** Stops the engines that are started before a test opens them. */
  close(): Promise<unknown>;
}

/** Starts the engines of the platforms. */
export async function startShopRunners(): Promise<ShopRunners> {
  const [google, clickhouse] = [await startGoogleSql(), await openClickHouseShop()];
  const openGoogle = async () => {
    await loadGoogleShop(google!);
    return { run: (sql: string) => runGoogle(google!, sql), close: () => null };
  };
  return {
    runners: [
      ...RUNS.map(([platform, engine]) => [platform, hasPlatform(engine), () => openShop(engine)] as const),
      ['bigquery', google !== null, openGoogle],
      ['clickhouse', clickhouse !== null, async () => ({ run: clickhouse!.run, close: () => null })],
    ],
    close: () => Promise.all([google?.stop(), clickhouse?.close()]),
  };
}
