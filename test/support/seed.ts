import fc from 'fast-check';

/**
 * Random tests use the same seed in every run, so that they do not fail without a change of the code.
 * QUERN_SEED sets another seed, or `random` for a new one in each run, to search for new failures.
 */
const given = process.env.QUERN_SEED ?? '20261123';
if (given !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(given) });
