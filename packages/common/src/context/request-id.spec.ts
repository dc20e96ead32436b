import { describe, expect, it } from '@jest/globals';
import { globalRequestId, newRequestId, requestIdHeaders } from './request-id.js';

describe('request ids', () => {
  it('are req- and a UUID, and unique', () => {
    expect(newRequestId()).toMatch(
      /^req-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(newRequestId()).not.toBe(newRequestId());
  });

  it('have the same value in every header', () => {
    expect(requestIdHeaders('req-1', 'X-Compute-Request-Id')).toEqual({
      'X-Platform-Request-Id': 'req-1',
      'X-Openstack-Request-Id': 'req-1',
      'X-Compute-Request-Id': 'req-1',
    });
  });
});

describe("a caller's id", () => {
  it('is kept if well-formed', () => {
    const id = newRequestId();
    expect(globalRequestId(id)).toBe(id);
  });

  it.each(['req-1', 'x\nforged: line', undefined, ['req-a', 'req-b']])(
    'is not kept: %p',
    (value) => {
      expect(globalRequestId(value)).toBeUndefined();
    },
  );
});
