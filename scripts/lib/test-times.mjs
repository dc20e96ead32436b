/** What `npm test` says of the time that its tests took. */

const SLOWEST = 10;

/** Columns of the table of tiers; numbers are aligned to the right. */
const COLUMNS = ['tier', 'files', 'tests', 'seconds'];

/**
 * A table of the tiers, longest first, and one of the files that took longest. Files run side by
 * side, so the seconds add up to more than the run took.
 * @param files `{ path, tier, tests, seconds }` each
 */
export function timesOf(files) {
  const slowest = longestFirst(files).slice(0, SLOWEST);
  const width = Math.max(...slowest.map(({ tier }) => tier.length));
  return [
    'Tiers:',
    ...tableOf(longestFirst(tiersOf(files))),
    'Files that took longest:',
    ...slowest.map(
      ({ path, tier, seconds }) =>
        `  ${seconds.toFixed(1).padStart(6)} s  ${tier.padEnd(width)}  ${path}`,
    ),
  ].join('\n');
}

function tiersOf(files) {
  const tiers = new Map();
  for (const { tier, tests, seconds } of files) {
    const sum = tiers.get(tier) ?? { tier, files: 0, tests: 0, seconds: 0 };
    sum.files += 1;
    sum.tests += tests;
    sum.seconds += seconds;
    tiers.set(tier, sum);
  }
  return [...tiers.values()];
}

function tableOf(tiers) {
  const rows = tiers.map(({ tier, files, tests, seconds }) =>
    [tier, files, tests, seconds.toFixed(1)].map(String),
  );
  return [COLUMNS, ...rows].map(
    ([tier, ...numbers]) =>
      `  ${tier.padEnd(12)}${numbers.map((text) => text.padStart(9)).join('')}`,
  );
}

function longestFirst(items) {
  return [...items].sort((one, other) => other.seconds - one.seconds);
}
