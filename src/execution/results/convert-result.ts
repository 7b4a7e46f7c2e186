import path from 'node:path';
import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type { EncoderOptions, Stats } from '../../engine/result/columns/encoder.ts';
import { executionErrors } from '../contract/errors.ts';
import { type ConversionErrors, convertToParquet } from './convert-to-parquet.ts';
import type { StoredResult } from './recorded-results.ts';

/** The formats of downloads that are converted; Arrow is stored. */
export type ConvertedFormat = ThreadFormat | 'parquet';

type ThreadFormat = 'csv' | 'json' | 'ndjson' | 'markdown' | 'xlsx';

/** A stored result and its new format, whose encoder has the options `encoder`; `stats` are those of its statement. */
export interface Conversion<Format = ConvertedFormat> {
  readonly stored: StoredResult;
  readonly format: Format;
  readonly encoder: EncoderOptions;
  readonly stats: Stats;
}

/** A conversion in a thread. */
export type ThreadConversion = Conversion<ThreadFormat>;

/** What the thread sends: a block of bytes, null at the end, or why the format cannot hold the result. */
export type ThreadAnswer = Uint8Array | { readonly problem: string } | null;

/** Maximum memory of a thread for its values, in megabytes; the bytes of batches are not counted. */
const MEMORY_MB = 256;

/**
 * Converts a stored result in a separate thread or process. The stream fails if the result has been deleted, and with
 * one of `errors` if the format has a limit. Destroy the stream to end the conversion early.
 */
export function convertResult({ format, ...rest }: Conversion, errors: ConversionErrors): Readable {
  if (format === 'parquet') return convertToParquet(rest.stored, errors);
  return convertInThread({ format, ...rest }, errors);
}

/** Converts a stored result in a thread, as fast as the stream is read. */
function convertInThread(conversion: ThreadConversion, { outOfRange }: ConversionErrors): Readable {
  const program = new URL(`./conversion-thread${path.extname(import.meta.filename)}`, import.meta.url);
  const resourceLimits = { maxOldGenerationSizeMb: MEMORY_MB };
  const worker = new Worker(program, { workerData: conversion, env: {}, execArgv: [], resourceLimits });
  const stream = new Readable({
    read: () => worker.postMessage('next'),
    destroy(error, done) {
      worker.terminate().then(() => done(error), done);
    },
  });
  let isComplete = false;
  worker.on('message', (answer: ThreadAnswer) => {
    if (answer !== null && 'problem' in answer) {
      stream.destroy(outOfRange(answer.problem));
      return;
    }
    isComplete = answer === null;
    stream.push(answer);
  });
  worker.on('error', (error) => stream.destroy(error));
  worker.on('exit', () => {
    if (!isComplete) stream.destroy(executionErrors.conversionEnded());
  });
  return stream;
}
