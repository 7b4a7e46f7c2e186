// Runs after an install from a checkout: builds the parts that are older than their inputs.
import { build } from './build.js';

await build({ isForced: false });
