/** A default name: `zeta-22-cluster`. Public source: magnum, `common/name_generator.py`. */
import { randomInt } from 'node:crypto';

const LETTERS = [
  'alpha',
  'beta',
  'gamma',
  'delta',
  'epsilon',
  'zeta',
  'eta',
  'theta',
  'iota',
  'kappa',
  'lambda',
  'mu',
  'nu',
  'xi',
  'omicron',
  'pi',
  'rho',
  'sigma',
  'tau',
  'upsilon',
  'phi',
  'chi',
  'psi',
  'omega',
];

export function randomName(kind: 'cluster' | 'template'): string {
  return `${LETTERS[randomInt(LETTERS.length)] ?? 'alpha'}-${randomInt(1, 25)}-${kind}`;
}
