import { describe, expect, it } from '@jest/globals';
import { formatCidr } from '@cumulet/common/addresses/ip-address';
import { cidrsOf, compact, holdsAll, parseAll, without } from './ip-set.js';

describe('sets of addresses', () => {
  it.each([
    [['10.0.0.0/24', '10.0.1.0/24'], ['10.0.0.0/23']],
    [
      ['10.0.1.0/24', '10.0.2.0/24'],
      ['10.0.1.0/24', '10.0.2.0/24'],
    ],
    [['10.0.0.0/8', '10.9.0.0/16'], ['10.0.0.0/8']],
    [
      ['10.2.0.0/16', '10.1.0.0/16', '10.3.0.0/16'],
      ['10.1.0.0/16', '10.2.0.0/15'],
    ],
    [['2001:db8:1::/48', '2001:db8::/48'], ['2001:db8::/47']],
    [['0.0.0.0/1', '128.0.0.0/1'], ['0.0.0.0/0']],
    [[], []],
  ])('merge the CIDRs %j into %j', (given, fewest) => {
    expect(compact(given)).toEqual(fewest);
  });

  it.each([
    ['10.0.0.0/24', ['10.0.0.0/25'], ['10.0.0.128/25']],
    ['10.0.0.0/24', ['10.0.0.64/26'], ['10.0.0.0/26', '10.0.0.128/25']],
    ['10.0.0.0/24', ['10.0.0.0/16'], []],
    ['10.0.0.0/24', ['10.0.1.0/24'], ['10.0.0.0/24']],
    ['::/0', ['::/1', '8000::/2'], ['c000::/2']],
  ])('subtract: %s without %j is %j', (given, taken, left) => {
    const rest = without(parseAll([given]), parseAll(taken));
    expect(cidrsOf(rest).map(formatCidr)).toEqual(left);
  });

  it('contain a set that spans several of their parts', () => {
    const halves = parseAll(['10.0.0.0/25', '10.0.0.128/25']);
    expect(holdsAll(halves, parseAll(['10.0.0.0/24']))).toBe(true);
    expect(holdsAll(halves, parseAll(['10.0.0.0/23']))).toBe(false);
  });
});
