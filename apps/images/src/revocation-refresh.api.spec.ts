import { expect, it, jest } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { TestImages } from './images.fixture.js';

it('looks for revoked tokens as often as the setting says', async () => {
  const images = await TestImages.start({ revocationRefresh: 50 });
  const looks = jest.spyOn(images.tokens, 'revocations');
  const began = performance.now();
  await eventually('it has looked three times', () => Promise.resolve(looks.mock.calls.length > 2));
  expect(performance.now() - began).toBeLessThan(2_000);
  await images.stop();
});
