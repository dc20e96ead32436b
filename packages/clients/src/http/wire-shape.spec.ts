import { describe, expect, it } from '@jest/globals';
import { wireShape } from './wire-shape.js';

interface Address {
  readonly subnetId: string;
}

interface Port {
  readonly id: string;
  readonly isEnabled: boolean;
  readonly hostId: string | undefined;
  readonly addresses: readonly Address[];
}

const PORT = wireShape<Port>({
  id: 'id',
  isEnabled: 'admin_state_up',
  hostId: 'binding:host_id',
  addresses: ['fixed_ips', wireShape<Address>({ subnetId: 'subnet_id' })],
});

describe('a shape', () => {
  it('is read by its names on the wire, without unknown ones', () => {
    const wire = { id: 'a', admin_state_up: false, fixed_ips: [{ subnet_id: 's' }], mtu: 1_500 };
    expect(PORT.read(wire)).toStrictEqual({
      id: 'a',
      isEnabled: false,
      hostId: undefined,
      addresses: [{ subnetId: 's' }],
    });
  });

  it('is written under these names, without undefined values', () => {
    const written = PORT.write({ isEnabled: true, addresses: [{ subnetId: 's' }, {}] });
    expect(JSON.stringify(written)).toBe(
      '{"admin_state_up":true,"fixed_ips":[{"subnet_id":"s"},{}]}',
    );
  });
});
