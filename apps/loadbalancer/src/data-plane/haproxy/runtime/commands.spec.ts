import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { forAllOf, hostileText } from '@cumulet/testing/hostile-texts';
import * as commands from './commands.js';

const near = (good: string) =>
  fc.oneof(
    hostileText,
    fc.constant(good),
    hostileText.map((text) => `${good}${text}`),
  );

it('a command remains a single one whatever its values contain, or is refused', () => {
  let written = 0;
  const values = fc.tuple(near('p:l/m'), near('192.0.2.1'), fc.oneof(fc.nat(), fc.double()));
  forAllOf(values, ([server, address, number]) => {
    for (const make of [
      () => commands.setAddress(server, address, number),
      () => commands.setWeight(server, number),
      () => commands.setState(server, 'maint'),
    ])
      try {
        const [first, second, third, ...more] = commands.toWorker(make()).split(' ');
        written += 1;
        if (`${first ?? ''} ${second ?? ''} ${third ?? ''}` !== '@1; set server' || more.length > 6)
          throw new Error(JSON.stringify([server, address, number]));
        if (more.some((one) => !/^[\w.:/-]+$/.test(one))) throw new Error(more.join(' '));
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
      }
  });
  expect(written).toBeGreaterThan(1_000);
});

it('a command without values from clients may be any', () => {
  expect(commands.toProcess(7, commands.command('show info'))).toBe('@!7 show info');
  const text: string = 'show info; shutdown';
  // @ts-expect-error a text that does not stand in the source is no command
  expect(commands.command(text)).toBe(text);
  expect(() => commands.toProcess(NaN, commands.command('show info'))).toThrow(RangeError);
});
