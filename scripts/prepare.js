// Runs after an install from a checkout: builds what is not newer than everything that it is made from.
import { build } from './build.js';

await build({ isForced: false });
