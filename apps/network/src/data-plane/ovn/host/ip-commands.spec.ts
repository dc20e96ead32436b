import { expect, it } from '@jest/globals';
import { forAllOf, hostileText } from '@cumulet/testing/hostile-texts';
import fc from 'fast-check';
import { OvnHostError } from './ovn-host.errors.js';
import {
  addressWord,
  destinationWord,
  deviceWord,
  ip,
  macWord,
  placedAddressWord,
  tableWord,
} from './ip-commands.js';

const WRITERS = {
  address: [addressWord, '10.0.0.5'],
  destination: [destinationWord, '10.0.0.0/24'],
  device: [deviceWord, 'eth0'],
  mac: [macWord, 'fa:16:3e:00:00:01'],
  'placed address': [(text: string) => placedAddressWord(text, '10.0.0.0/24'), '10.0.0.5'],
  prefix: [(text: string) => placedAddressWord('10.0.0.5', text), '10.0.0.0/24'],
  table: [tableWord, 'main'],
} as const;

it.each(Object.entries(WRITERS))('a text as the %s is one word, or is refused', (_, one) => {
  const [write, good] = one;
  const at = fc.tuple(hostileText, fc.constantFrom('', good), hostileText);
  forAllOf(at, (texts) => {
    const text = texts.join('');
    let command: string;
    try {
      command = ip`addr add ${write(text)} dev x`;
    } catch (error) {
      expect(error).toBeInstanceOf(OvnHostError);
      return;
    }
    // Single words of harmless characters, which are not options.
    expect(command).toMatch(/^addr add [\w.:/][\w.:/-]* dev x$/);
  });
  expect(ip`addr add ${write(good)} dev x`).toMatch(/^addr add \S+ dev x$/);
});

it.each([
  [destinationWord('2001:DB8:0::/64'), '2001:db8::/64'],
  [destinationWord('10.0.0.5/32'), '10.0.0.5'],
  [destinationWord('default'), 'default'],
  [placedAddressWord('2001:DB8::5', '2001:db8::/64'), '2001:db8::5/64'],
  [macWord('FA:16:3E:00:00:01'), 'fa:16:3e:00:00:01'],
])('%s is written as ip shows it', (word, expected) => expect(word).toBe(expected));

it('a number is an integer', () => {
  expect(ip`link set lo mtu ${1500}`).toBe('link set lo mtu 1500');
  expect(() => ip`link set lo mtu ${1.5}`).toThrow(OvnHostError);
});
