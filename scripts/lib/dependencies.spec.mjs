import { describe, expect, it } from '@jest/globals';

import { isInstalled } from './dependencies.mjs';

describe('the npm packages', () => {
  const wanted = {
    '': { name: 'cumulet' },
    'packages/common': { version: '0.1.0' },
    'node_modules/@cumulet/common': { resolved: 'packages/common', link: true },
    'node_modules/pg': { version: '8.23.0', integrity: 'sha512-pg' },
    'node_modules/@turbo/darwin-64': { version: '2.11.9', optional: true },
  };
  const installed = {
    'node_modules/@cumulet/common': { resolved: 'packages/common', link: true },
    'node_modules/pg': { version: '8.23.0' },
  };

  it('are installed when npm has written down all that this platform needs', () => {
    expect(isInstalled(wanted, installed)).toBe(true);
  });

  it('are not where npm has not come to the end of an installation', () => {
    expect(isInstalled(wanted, undefined)).toBe(false);
  });

  it('are not when one is of another version', () => {
    const actual = { ...installed, 'node_modules/pg': { version: '8.22.0' } };

    expect(isInstalled(wanted, actual)).toBe(false);
  });

  it('are not when one is missing', () => {
    expect(isInstalled(wanted, { 'node_modules/pg': { version: '8.23.0' } })).toBe(false);
  });

  it('are not when a workspace has moved', () => {
    const moved = { resolved: 'packages/old', link: true };

    expect(isInstalled(wanted, { ...installed, 'node_modules/@cumulet/common': moved })).toBe(
      false,
    );
  });
});
