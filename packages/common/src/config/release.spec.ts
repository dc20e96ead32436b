import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { compareReleases, RELEASE } from './release.js';

it('the release is the version of the whole', () => {
  const text = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8');
  expect(JSON.parse(text)).toMatchObject({ version: RELEASE });
});

it('releases are in the order of their numbers', () => {
  const releases = ['0.10.0', '0.2.0', '0.2.10', '0.2.9', '1.0.0', '0.9.9'];
  expect(releases.sort(compareReleases)).toEqual([
    '0.2.0',
    '0.2.9',
    '0.2.10',
    '0.9.9',
    '0.10.0',
    '1.0.0',
  ]);
});
