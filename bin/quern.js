#!/usr/bin/env node
'use strict';

/**
 * Checks the Node version before a native module loads, enlarges the thread pool that DuckDB, files and DNS share,
 * caches compiled code, and then starts the built command line. Old versions of Node can parse this file.
 */
const { engines, version } = require('../package.json');
const supported = engines.node;

function numbers(text) {
  return text
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

function isSupported(node) {
  const actual = numbers(node);
  return supported.split('||').some((range) => {
    const wanted = numbers(range.trim());
    const sameMajor = range.trim().charAt(0) !== '^' || actual[0] === wanted[0];
    return sameMajor && isAtLeast(actual, wanted);
  });
}

/**
 * Keeps the compiled code of modules in a folder of this user, which makes the next commands start faster. Code from a
 * folder that other users can write to is never run.
 */
function cacheCode() {
  const { existsSync, mkdirSync, lstatSync } = require('node:fs');
  const { homedir } = require('node:os');
  const { dirname, join } = require('node:path');
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'quern');
  // With `recursive`, Node does not end where the system lets no folder be created, such as in /proc.
  const make = (path) => {
    if (existsSync(path)) return;
    make(dirname(path));
    mkdirSync(path, { mode: 0o700 });
  };
  try {
    make(folder);
    const { uid, mode } = lstatSync(folder);
    if (uid === process.getuid() && (mode & 0o022) === 0) require('node:module').enableCompileCache(folder);
  } catch {
    // Without a folder to write to, the code is compiled each time.
  }
}

if (!isSupported(process.versions.node)) {
  console.error(`quern needs Node.js ${supported}; this is ${process.versions.node}.`);
  process.exitCode = 2;
} else if (process.argv.length === 3 && /^(-V|--version)$/.test(process.argv[2])) {
  // Scripts ask for the version often: it needs no other module.
  console.log(version);
} else {
  if (!process.env.UV_THREADPOOL_SIZE) process.env.UV_THREADPOOL_SIZE = '16';
  if (!process.env.NODE_COMPILE_CACHE) cacheCode();
  import('../dist/main.js').catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || !/dist.main/.test(error.message)) throw error;
    console.error('quern is not built: run `npm run build` in its folder.');
    process.exitCode = 2;
  });
}
