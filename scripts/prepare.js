// Runs after an install from a checkout: builds what is not newer than everything that it is made from.
import process from 'node:process';
import { build } from './build.js';

process.exitCode = await build({ isForced: false });
