import { describe, expect, it } from '@jest/globals';
import { planBatch, readBatch } from './member-batch.js';
import type { PresentMember } from '../tree/member.resource.js';

const present = (fields: Partial<PresentMember>): PresentMember => ({
  id: 'one',
  address: '192.0.2.1',
  protocolPort: 80,
  name: 'first',
  weight: 1,
  backup: false,
  adminStateUp: true,
  subnetId: 'a-subnet',
  tags: ['red'],
  monitorAddress: null,
  monitorPort: null,
  ...fields,
});
const one = present({});
const two = present({ id: 'two', address: '192.0.2.2', monitorPort: 8080 });
const first = { address: '192.0.2.1', protocol_port: 80 };
const plan = (members: object[], isAdditive = false) =>
  planBatch([one, two], readBatch({ members }), isAdditive);

it('adds new members, and removes unlisted ones', () => {
  expect(plan([first, { address: '192.0.2.1', protocol_port: 81 }])).toMatchObject({
    added: [{ address: '192.0.2.1', protocolPort: 81, weight: 1, name: '' }],
    changed: [],
    removed: ['two'],
  });
});

it('removes no members if it only adds', () => {
  expect(plan([first], true)).toEqual({ added: [], changed: [], removed: [] });
});

it('empties the pool with an empty list', () => {
  expect(plan([]).removed).toEqual(['one', 'two']);
  expect(plan([], true).removed).toEqual([]);
});

it('changes listed members: name, tags and subnet are kept, others get defaults', () => {
  const second = { address: '192.0.2.2', protocol_port: '80' };
  expect(plan([{ ...first, weight: 5, name: 'other' }, second]).changed).toEqual([
    { ...one, weight: 5, name: 'other' },
    { ...two, monitorPort: null },
  ]);
});

it('recognises an address in any notation', () => {
  const there = [present({ address: '2001:db8::1' })];
  const listed = readBatch({ members: [{ address: '2001:DB8:0::1', protocol_port: 80 }] });
  expect(planBatch(there, listed, false).added).toEqual([]);
});

describe('a batch is refused if', () => {
  it.each([
    ['a member is listed twice', { members: [first, first] }, 'already using ip 192.0.2.1'],
    ['there is no list', {}, "Unable to find 'members' in request body"],
    ['there is another attribute', { members: [], pool: 1 }, "Unrecognized attribute(s) 'pool'"],
    [
      'a port is invalid',
      { members: [first, { ...first, protocol_port: 0 }] },
      'members[1].protocol_port',
    ],
    [
      'an address is missing',
      { members: [{ protocol_port: 1 }] },
      "'members[0].address' not specified",
    ],
    ['a member is null', { members: [null] }, 'members[0]'],
  ])('%s', (_, body, message) => {
    expect(() => planBatch([one], readBatch(body), false)).toThrow(message);
  });
});
