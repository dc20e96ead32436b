/**
 * Whether Cumulet runs on this Node.js. Old versions must be able to read this file, and everything
 * loaded before it: no newer syntax here.
 */
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** Prints one line and ends the process if the version is not supported. */
export function requireNodeVersion() {
  if (isSupported(process.version.slice(1), engines.node)) return;
  console.error(
    `Cumulet needs Node.js ${engines.node}, and this is ${process.version}: ` +
      `get a newer one from https://nodejs.org or with your package manager`,
  );
  process.exit(1);
}

/**
 * @param version `20.19.0`
 * @param range alternatives between `||`, each `^a.b.c` (that major version) or `>=a.b.c`
 */
export function isSupported(version, range) {
  const actual = parts(version);
  return range.split('||').some((alternative) => {
    const [, operator, minimum] = /^(\^|>=)(.+)$/.exec(alternative.trim());
    const wanted = parts(minimum);
    if (operator === '^' && actual[0] !== wanted[0]) return false;
    const differing = wanted.findIndex((part, index) => part !== actual[index]);
    return differing === -1 || actual[differing] > wanted[differing];
  });
}

function parts(version) {
  return version.split('.').map(Number);
}
