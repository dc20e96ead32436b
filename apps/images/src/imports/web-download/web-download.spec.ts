import { describe, expect, it } from '@jest/globals';
import { isPublicAddress } from '@cumulet/common/addresses/public-address';
import { type DownloadRules, downloadUrlOf, SpeedWatch } from './web-download.js';

/** Chunks, as milliseconds of waiting and bytes. */
type Chunk = readonly [waitedMs: number, bytes: number];

/** The index of the first chunk that is too slow, or -1. */
function tooSlowAt(chunks: readonly Chunk[], bytesPerSecond = 100): number {
  const watch = new SpeedWatch({ bytesPerSecond, overSeconds: 10 });
  return chunks.findIndex(([waitedMs, bytes]) => watch.isTooSlow(waitedMs, bytes));
}

describe('SpeedWatch', () => {
  it.each<[string, readonly Chunk[], number]>([
    ['tolerates a server that is just fast enough', [[10_000, 1_000]], -1],
    ['finds one that is not', [[10_000, 999]], 0],
    [
      'waits for as long as it averages over',
      [
        [9_999, 1],
        [1, 1],
      ],
      1,
    ],
    [
      'bears a pause after many bytes',
      [
        [1, 2_000],
        [9_999, 1],
      ],
      -1,
    ],
    [
      'forgets what was fast once',
      [
        [10_000, 9_000],
        [5_000, 1],
        [5_000, 1],
      ],
      2,
    ],
    [
      'does not count the time for which nobody reads',
      [
        [0, 1],
        [0, 1],
        [0, 1],
      ],
      -1,
    ],
  ])('%s', (_, chunks, at) => {
    expect(tooSlowAt(chunks)).toBe(at);
  });

  it('tolerates everything without a limit', () => {
    expect(tooSlowAt([[60_000, 0]], 0)).toBe(-1);
  });
});

const RULES: DownloadRules = { ports: [80, 443], mayConnect: isPublicAddress };

describe('downloadUrlOf', () => {
  it.each([
    ['https://images.example/noble.img', 'https://images.example/noble.img'],
    ['HTTP://Images.Example:80/a?sig=b', 'http://images.example/a?sig=b'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['http://[2606:4700:4700::1111]:443/a', 'http://[2606:4700:4700::1111]:443/a'],
  ])('takes %s', (uri, url) => {
    expect(downloadUrlOf(uri, RULES).href).toBe(url);
  });

  it.each([
    ['', 'It is not a valid web address.'],
    ['images.example/a', 'It is not a valid web address.'],
    ['http://', 'It is not a valid web address.'],
    ['file:///etc/passwd', `Its scheme must be http or https; 'file' is not.`],
    ['ftp://images.example/a', `Its scheme must be http or https; 'ftp' is not.`],
    ['data:text/plain,a', `Its scheme must be http or https; 'data' is not.`],
    ['http://images.example:22/', 'Its port must be one of 80, 443; 22 is not.'],
    ['http://images.example:8080/', 'Its port must be one of 80, 443; 8080 is not.'],
    ['http://me@images.example/', 'It must contain neither a user name nor a password.'],
    ['http://me:hunter2@images.example/', 'It must contain neither a user name nor a password.'],
    ['http://:hunter2@images.example/', 'It must contain neither a user name nor a password.'],
  ])('refuses %s', (uri, reason) => {
    expect(() => downloadUrlOf(uri, RULES)).toThrow(
      `The URI of the import cannot be used. ${reason}`,
    );
  });

  it.each([
    ['http://127.0.0.1/', '127.0.0.1'],
    ['http://127.1/', '127.0.0.1'],
    ['http://2130706433/', '127.0.0.1'],
    ['http://0x7f000001/', '127.0.0.1'],
    ['http://0177.0.0.1/', '127.0.0.1'],
    ['http://%31%32%37.0.0.1/', '127.0.0.1'],
    ['http://①②⑦.⓪.⓪.①/', '127.0.0.1'],
    ['http://127.0.0.1./', '127.0.0.1'],
    ['http://0/', '0.0.0.0'],
    ['http://169.254.169.254/latest/meta-data/', '169.254.169.254'],
    ['http://[::1]/', '::1'],
    ['http://[::ffff:127.0.0.1]/', '::ffff:7f00:1'],
    ['http://[0:0:0:0:0:ffff:a9fe:a9fe]/', '::ffff:a9fe:a9fe'],
    ['http://[64:ff9b::127.0.0.1]/', '64:ff9b::7f00:1'],
    ['http://[fd00:ec2::254]/', 'fd00:ec2::254'],
  ])('refuses the address in %s, however it is written', (uri, address) => {
    expect(() => downloadUrlOf(uri, RULES)).toThrow(
      `Its host ${address} has no address that images may be downloaded from.`,
    );
    expect(downloadUrlOf(uri, { ...RULES, mayConnect: () => true }).hostname).toContain(address);
  });

  it('resolves a redirect relative to its origin', () => {
    const from = new URL('https://images.example/latest/a');
    expect(downloadUrlOf('../1.0/a', RULES, from).href).toBe('https://images.example/1.0/a');
    expect(downloadUrlOf('//mirror.example/a', RULES, from).href).toBe('https://mirror.example/a');
    expect(() => downloadUrlOf('//127.0.0.1/a', RULES, from)).toThrow('127.0.0.1');
  });

  it('reveals nothing that may be secret', () => {
    const uri = 'http://me:hunter2@127.0.0.1:22/hunter2?key=hunter2#hunter2';
    expect(() => downloadUrlOf(uri, RULES)).not.toThrow('hunter2');
    expect(() => downloadUrlOf(uri, RULES)).toThrow();
  });
});
