import { expect, it } from '@jest/globals';
import { aMaster } from '../../rows.fixture.js';
import { ControlPlaneNotReadyError, MasterJoinsFirstError } from '../node.errors.js';
import { etcdPlaceOf } from './etcd-place.js';

const fresh = (number: number, values = {}) => aMaster(number, { hasEtcd: false, ...values });

it('the first to ask founds etcd, also when it asks again', () => {
  const place = { founder: true, members: [] };
  expect(etcdPlaceOf(fresh(1), [fresh(1), fresh(2), fresh(3)])).toEqual(place);
  const founder = fresh(1, { isFounder: true });
  expect(etcdPlaceOf(founder, [founder, fresh(2)])).toEqual(place);
});

it('the others wait for the founder', () => {
  const all = [fresh(1, { isFounder: true }), fresh(2)];
  const ask = (): object => etcdPlaceOf(fresh(2), all);
  expect(ask).toThrow(ControlPlaneNotReadyError);
  expect(ask).toThrow('begins with web-master-1');
});

it('the others join running members by their addresses', () => {
  const all = [aMaster(1, { isFounder: true, address: '10.0.0.5' }), fresh(2), fresh(3)];
  expect(etcdPlaceOf(fresh(3), all)).toEqual({
    founder: false,
    members: [{ name: 'web-master-1', ip: '10.0.0.5' }],
  });
});

it('the founder joins again if others are members by now', () => {
  const founder = fresh(1, { isFounder: true });
  const all = [founder, aMaster(2, { address: '10.0.0.6' })];
  expect(etcdPlaceOf(founder, all)).toMatchObject({ founder: false });
});

it('masters join one after the other', () => {
  const founder = aMaster(1, { isFounder: true, address: '10.0.0.5', usedBy: 'nonce' });
  const joining = fresh(2, { usedBy: 'nonce', status: 'IN_PROGRESS' });
  const ask = (node = fresh(3), others = [joining]): object =>
    etcdPlaceOf(node, [founder, ...others, fresh(3)]);
  expect(ask).toThrow(MasterJoinsFirstError);
  expect(ask).toThrow('web-master-2 is not ready yet');
  // A node asks again for new certificates.
  expect(ask(joining)).toMatchObject({ founder: false });
  expect(ask(fresh(3, { usedBy: 'nonce' }))).toMatchObject({ founder: false });
  expect(ask(fresh(3), [fresh(2, { usedBy: 'nonce', status: 'READY' })])).toMatchObject({
    founder: false,
  });
  expect(
    ask(fresh(3), [fresh(2, { usedBy: 'nonce', status: 'IN_PROGRESS', fate: 'leaving' })]),
  ).toMatchObject({ founder: false });
});
