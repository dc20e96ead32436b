import { describe, expect, it } from '@jest/globals';

import { isSupported } from './node-version.mjs';

describe('the versions of Node.js that are supported', () => {
  const range = '^20.19.0 || ^22.13.0 || >=24.11.0';

  it.each(['20.19.0', '20.20.2', '22.13.0', '24.11.0', '24.12.0', '26.1.0'])(
    'include %s',
    (version) => {
      expect(isSupported(version, range)).toBe(true);
    },
  );

  it.each(['18.19.0', '20.18.9', '21.7.0', '22.12.9', '23.0.0', '24.10.9'])(
    'exclude %s',
    (version) => {
      expect(isSupported(version, range)).toBe(false);
    },
  );
});
