/** A construction that Quern's texts do not use, and what to write in its place. */
export interface Construction {
  readonly pattern: RegExp;
  readonly use: string;
}

const ban = (source: string, use: string): Construction => ({ pattern: new RegExp(source, 'iu'), use });

/** At the start of a sentence or clause. */
const START = '(?:^|[.:;,(] )';
const BE = '(?:is|are|was|were|be)';

/** Old words. */
const OLD_WORDS: readonly Construction[] = [
  ban('\\bwhoever\\b', 'the user who; anyone who'),
  ban('\\bnobody(?!@)\\b', 'no user; not used'),
  ban('\\bsomebody\\b', 'a user; someone'),
  ban('\\banybody\\b', 'anyone; any user'),
  ban('\\beverybody\\b', 'all users'),
  ban('\\blest\\b', 'so that … not'),
  ban('\\banew\\b', 'again; a full refresh'),
  ban('\\bthereby\\b', 'so'),
  ban('\\bwhere(?:by|in|of|upon)\\b', 'in which'),
  ban('\\bthere(?:in|of|upon|after)\\b', 'in it; after that'),
  ban('\\bhence(?:forth)?\\b', 'so; from now on'),
  ban('\\bupon\\b', 'on'),
  ban('\\bshall\\b', 'must; will'),
  ban('\\bought\\b', 'should'),
  ban('\\bwhence\\b|\\bwhither\\b', 'from where; to where'),
  ban('\\blikewise\\b|\\balike\\b', 'also; the same'),
  ban('\\bwhichever\\b', 'the one that'),
  ban('\\bwhatever else\\b', 'anything else'),
  ban('\\bamiss\\b', 'wrong'),
  ban('\\bnaught\\b|\\baught\\b', 'nothing; anything'),
  ban('\\bbegun\\b', 'started'),
  ban('\\b(?:mis)?spelt\\b|\\blearnt\\b', 'spelled; learned'),
  ban('\\bneed not\\b', 'does not need to'),
  ban('\\bsave for\\b|\\bbut for\\b', 'except'),
  ban('\\bsooner\\b', 'earlier'),
];

/** Words that have a term of the field. */
const PARAPHRASES: readonly Construction[] = [
  ban('\\btold\\b', 'reported; notified; requested'),
  ban('\\btells? of\\b', 'reports; describes'),
  ban('\\bhears? of\\b|\\bunheard\\b', 'receives; unknown'),
  ban('\\btroubles?\\b', 'error; problem'),
  ban('(?<!de)\\bfaults?\\b', 'error; diagnostic'),
  ban('\\bsuper-user\\b', 'administrator'),
  ban('\\bowner of everything\\b', 'administrator'),
  ban('\\ba bug of ours\\b', 'internal error'),
  ban('\\bstrangers?\\b', 'other users; unauthenticated clients'),
  ban('\\bstretch(?:es)?\\b', 'range; span'),
  ban('\\bbeside\\b', 'next to; in addition to; besides'),
  ban('\\bstood\\b', 'was'),
  ban('\\bstands\\b(?! for)', 'is; appears'),
  ban('\\bstand (?:beside|behind|before|there|in|outside|on|between|below|above)\\b', 'are; appear'),
  ban('\\bsound (?:version|model|one|copy|backup|file)\\b', 'valid'),
  ban('\\bis worth\\b|\\bthe worth\\b', 'value'),
  ban('\\bgood for nothing\\b', 'has no effect; invalid'),
  ban('\\bfor nothing\\b', 'without effect; unused'),
  ban('\\bin vain\\b', 'without success'),
  ban('\\bfor good\\b', 'permanently'),
  ban('\\bbit by bit\\b', 'incrementally'),
  ban('\\bin parts\\b', 'partially'),
  ban('\\b(?:take|takes|taken|took|taking) up\\b', 'load; read; start'),
  ban('\\b(?:take|takes|taken|took) (?:it |them )?away\\b', 'revoke; remove'),
  ban('\\b(?:hand|hands|handed|handing) over\\b', 'pass; transfer'),
  ban('\\b(?:go|goes|went|going|gone) on\\b(?! (?:to|the|a) )', 'continue'),
  ban(
    '\\b(?:come|comes|came|coming) to (?!(?:the|a|this|that|its|us) (?:server|client|same|page))',
    'result in; reach',
  ),
  ban(`\\b${BE} gone\\b|\\bhas gone\\b|\\bhave gone\\b`, 'was deleted; closed; no longer exists'),
  ban(`\\b${BE} met\\b|\\bmeets? with\\b`, 'is handled; gets'),
  ban('\\bbe had\\b|\\bto have had\\b', 'be available'),
  ban('\\bin the place of\\b', 'instead of; replaces'),
  ban('\\bfrom then on\\b', 'after that'),
  ban('\\bin all\\b', 'in total'),
  ban('\\ball the same\\b', 'anyway'),
  ban('\\bthe like\\b', 'similar'),
  ban('\\bmust be (?:a )?texts?\\b', 'must be a string'),
  ban('\\btaken for\\b', 'read as; treated as'),
  ban('\\bby and by\\b', 'gradually'),
  ban('\\bwithout a word\\b', 'silently'),
  ban('\\bto speak of\\b', 'noticeable'),
  ban('\\bdoor stays?\\b|\\ba door\\b', 'protection is off'),
];

/** Sentences that are not subject, verb, object. */
const INVERSIONS: readonly Construction[] = [
  ban('\\b(?:is|are|was|were) none\\b', 'there is no; is not a'),
  ban('\\b(?:has|have|had) none\\b', 'has no …; without'),
  ban(
    '(?<!there )\\b(?:is|are|was|were) no (?!longer|more than|fewer|less|larger|later|earlier)',
    'is not a',
  ),
  ban('\\b(?:is|are) nothing (?:for|but|of|to|that)\\b', 'is not'),
  ban('\\bno more(?! than)\\b', 'no longer'),
  ban('\\bof which\\b', 'whose; that'),
  ban('\\bas which\\b', 'how'),
  ban('\\b(?:of|for|by|to|with|from|at) whom\\b', 'who … for'),
  ban('\\bof (?:ours|theirs|yours|hers)\\b', 'our; their'),
  ban('\\bof (?:its|our|their|your|his|her) own\\b', 'its own …; separate'),
  ban('\\bthere (?:cannot|can|may|must) be no\\b|\\bthere cannot be\\b', 'only one … can'),
  ban('\\bnor (?:is|are|do|does|did|has|have|can|may|was|were|will)\\b', 'and … not'),
  ban(`${START}(?:so|thus) (?:is|are|do|does|did|has|have|begins|ends)\\b`, 'put the subject first'),
  ban('\\b(?:to|by|from|for|with|than|as|of) who (?!the\\b)', 'the user who'),
  ban(`${START}who (?:is|has|can|may|asks|reads|waits|wants|does)\\b(?!.*\\?)`, 'a user who'),
  ban(
    `${START}what (?:is|was|are|has|have|had|comes|came|lies|remains|may|can|must|will|others|one|goes|belongs|they|it|he) (?!.*\\?)`,
    'name the thing',
  ),
  ban('\\ball that (?:is|are|was|were|has|have|can|they|it|he|she)\\b', 'everything that; all …'),
  ban('\\b(?:has|have|had) not[,.;:)]', 'does not have'),
  ban('\\bsuch (?:ones?|a one|a thing)\\b', 'one like this'),
  ban(
    '\\bof so (?:much|many)\\b|\\bso many (?:characters|bytes|rows|milliseconds)\\b',
    'the given number of',
  ),
  ban('\\b(?:that|which) there (?:is|are)\\b', 'that exists'),
  ban('\\bwhose (?:fewest|most|last|first) (?:is|are)\\b', 'with the fewest'),
  ban('\\bas (?:it|they) (?:stands?|stood)\\b', 'unchanged'),
  ban('\\bit is (?:he|she|they|the caller) (?:who|that)\\b', 'put the subject first'),
  ban(`${START}rather be\\b`, 'imperative'),
  ban('\\bmay be (?:another|one) user’s\\b', 'may belong to'),
  ban('\\bso that (?:who|what)\\b', 'name the thing'),
];

export const CONSTRUCTIONS: readonly Construction[] = [...OLD_WORDS, ...PARAPHRASES, ...INVERSIONS];
