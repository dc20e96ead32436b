import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { RELEASE } from './release.js';

it('the release is the version of the whole', () => {
  const text = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8');
  expect(JSON.parse(text)).toMatchObject({ version: RELEASE });
});
