#!/usr/bin/env node
'use strict';

/**
 * Checks the Node version before a native module loads, enlarges the thread pool that DuckDB, files and DNS share, and
 * then starts the built command line. Old versions of Node can parse this file.
 */
const supported = require('../package.json').engines.node;

function numbers(version) {
  return version
    .replace(/^[^0-9]+/, '')
    .split('.')
    .map(Number);
}

function isAtLeast(actual, wanted) {
  for (let i = 0; i < wanted.length; i++) {
    if (actual[i] !== wanted[i]) return actual[i] > wanted[i];
  }
  return true;
}

function isSupported(version) {
  const actual = numbers(version);
  return supported.split('||').some((range) => {
    const wanted = numbers(range.trim());
    const sameMajor = range.trim().charAt(0) !== '^' || actual[0] === wanted[0];
    return sameMajor && isAtLeast(actual, wanted);
  });
}

if (!isSupported(process.versions.node)) {
  console.error(`quern needs Node.js ${supported}; this is ${process.versions.node}.`);
  process.exitCode = 2;
} else {
  if (!process.env.UV_THREADPOOL_SIZE) process.env.UV_THREADPOOL_SIZE = '16';
  import('../dist/main.js').catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || !/dist.main/.test(error.message)) throw error;
    console.error('quern is not built: run `npm run build` in its folder.');
    process.exitCode = 2;
  });
}
