import fc from 'fast-check';

/** Random values follow from the seed of the run, too; with `all`, they are always the same. */
const { QUERN_SEED: seed } = process.env;
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: seed === 'all' ? 0 : Number(seed) });
