import { describe, expect, it } from '@jest/globals';
import { dataFolderOf, isUplink, judge, type SeenUplink } from './leftover-uplinks.js';
import { aliasOf, deviceOf, markOf, type UplinkMark } from './uplink-mark.js';

const MARK: UplinkMark = {
  pid: 4711,
  began: '123456',
  pids: '4026531836',
  leadsTo: 'public',
  folder: '/srv/cloud/network/ovn',
};
const DEVICE = deviceOf(MARK);
/** Of a cloud that was killed with all of its processes and whose folder was deleted. */
const LEFT: SeenUplink = {
  device: DEVICE,
  mark: MARK,
  areNumbersOurs: true,
  doesMakerRun: false,
  isFolderThere: false,
  isNamespaceThere: true,
  pids: [],
  arePidsAll: true,
};

describe('the uplink of another cloud', () => {
  it('is removed with its namespaces if it is unused and its folder is gone', () => {
    expect(judge(LEFT)).toEqual({
      removes: 'device and namespaces',
      words: 'of the cloud in /srv/cloud, whose folder is gone',
    });
  });

  it('is removed without its namespaces if the cloud may be started again', () => {
    expect(judge({ ...LEFT, isFolderThere: true })).toMatchObject({ removes: 'device' });
  });

  it.each<[string, Partial<SeenUplink>, string]>([
    ['whose maker runs', { doesMakerRun: true }, 'in /srv/cloud, which runs (pid 4711)'],
    [
      'whose guests run',
      { pids: [7, 8] },
      'are still running (7, 8): npm run cumulet -- destroy /srv/cloud',
    ],
    [
      'whose guests run from a folder that is there',
      { pids: [7], isFolderThere: true },
      'which was killed, and whose processes are still running (7)',
    ],
    ['of another container', { areNumbersOurs: false }, 'which was started in another container'],
    ['whose namespace is out of sight', { isNamespaceThere: false }, 'destroy /srv/cloud'],
    ['whose processes are out of sight', { arePidsAll: false }, 'destroy /srv/cloud'],
    ['that says nothing', { mark: undefined }, `ip link delete ${DEVICE}`],
  ])('is kept, and its owner named, if it is one %s', (_, but, words) => {
    const judgement = judge({ ...LEFT, ...but });
    expect(judgement.removes).toBe('nothing');
    expect(judgement.words).toContain(words);
  });

  it('is removed only if all facts are certain', () => {
    const flags = [
      'areNumbersOurs',
      'doesMakerRun',
      'isFolderThere',
      'isNamespaceThere',
      'arePidsAll',
    ] as const;
    for (let bits = 0; bits < 2 ** flags.length; bits += 1)
      for (const pids of [[], [1]])
        for (const mark of [MARK, undefined]) {
          const seen: SeenUplink = { ...LEFT, pids, mark };
          const asked = Object.fromEntries(flags.map((name, at) => [name, (bits >> at) % 2 === 1]));
          const { removes } = judge({ ...seen, ...asked });
          const isCertain =
            mark !== undefined &&
            pids.length === 0 &&
            asked['areNumbersOurs'] === true &&
            asked['doesMakerRun'] === false &&
            asked['isNamespaceThere'] === true &&
            asked['arePidsAll'] === true;
          expect([removes !== 'nothing', asked]).toEqual([isCertain, asked]);
        }
  });

  it('is recognised by its name', () => {
    expect([DEVICE, 'eth0', 'cumulet', 'cumulet0', undefined].map(isUplink)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('the mark of a device', () => {
  it.each(['public', 'two words', 'ü=, %'])('is read as it was written: to %s', (leadsTo) => {
    const mark = { ...MARK, leadsTo };
    expect(markOf(deviceOf(mark), aliasOf(mark) ?? '')).toEqual(mark);
  });

  it.each([
    ['another device', 'cumulet00000000', aliasOf(MARK) ?? ''],
    ['no mark', DEVICE, 'uplink of the office'],
    ['nothing', DEVICE, ''],
    ['a folder that it was not made for', DEVICE, (aliasOf(MARK) ?? '').replace('/srv', '/etc')],
  ])('is ignored if it is of %s', (_, device, alias) => {
    expect(markOf(device, alias)).toBeUndefined();
  });

  it('is left out if it is too long or has two lines', () => {
    expect(aliasOf({ ...MARK, folder: `/${'x'.repeat(255)}` })).toBeUndefined();
    expect(aliasOf({ ...MARK, folder: '/a\nb' })).toBeUndefined();
  });
});

it.each([
  ['/srv/cloud/network/ovn', '/srv/cloud'],
  ['/var/lib/cumulet/network/ovn', '/var/lib/cumulet/network'],
  ['/tmp/one/ovn', '/tmp/one'],
])('the OVN of %s belongs to the folder %s', (ovn, folder) => {
  expect(dataFolderOf(ovn)).toBe(folder);
});
