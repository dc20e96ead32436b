/**
 * In CI, the few files in which tests failed run once more, alone: a fault of the tree shows again,
 * where a moment of a machine that others share does not. What passes only then is named as unstable,
 * and is a defect of its test or of what it tests.
 */

/** More failures than these are no moment. */
const MOST_FILES = 5;

/** @returns the files to run again; none where all passed, or where more failed than a moment explains */
export function filesToRepeat(files) {
  const failed = files.filter((file) => file.failed > 0);
  return failed.length > MOST_FILES ? [] : failed;
}

/** @returns the files of the first run, with those that ran again as they then were */
export function afterRepeating(files, repeated) {
  const latest = new Map(repeated.map((file) => [keyOf(file), file]));
  return files.map((file) => latest.get(keyOf(file)) ?? file);
}

/** What passed only at its second run, a line a file; empty where there is none. */
export function unstableOf(repeated) {
  const unstable = repeated.filter(({ failed }) => failed === 0);
  if (unstable.length === 0) return '';
  const lines = unstable.map(({ tier, path }) => `  ${tier}  ${path}`);
  return ['Unstable, passed only when run again alone:', ...lines].join('\n');
}

const keyOf = ({ tier, path }) => `${tier} ${path}`;
