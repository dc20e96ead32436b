import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { membersOf, ODD_KEYS, oddMap, pollution } from '@cumulet/testing/odd-keys';
import { startClusters, type ClustersFixture } from '../clusters.fixture.js';

let fixture: ClustersFixture;

beforeAll(async () => {
  fixture = await startClusters({ config: { role: 'api' } });
});
afterAll(() => fixture.stop());

const all = (value: string): Record<string, string> => oddMap(() => value);

describe('labels named like members of Object.prototype', () => {
  it('are stored by templates, and changed and removed by patches', async () => {
    const { ask } = fixture;
    const path = `/v1/clustertemplates/${await fixture.createTemplate({ labels: all('one') })}`;
    const shown = async (): Promise<unknown> =>
      membersOf(((await ask('GET', path)).body as { labels: object }).labels);
    expect(await shown()).toEqual(membersOf(all('one')));
    const patch = (op: string, value?: string) =>
      ask(
        'PATCH',
        path,
        ODD_KEYS.map((key) => ({ op, path: `/labels/${key}`, value })),
      );
    expect((await patch('replace', 'two')).status).toBe(200);
    expect(await shown()).toEqual(membersOf(all('two')));
    expect((await patch('remove')).status).toBe(200);
    expect(await shown()).toEqual([]);
    expect((await patch('add', 'three')).status).toBe(200);
    expect(await shown()).toEqual(membersOf(all('three')));
  });

  it('are compared with those of a cluster’s template', async () => {
    const plain = await fixture.createTemplate();
    const odd = await fixture.createTemplate({ labels: all('one') });
    const differences = async (template: string, labels: object): Promise<unknown[]> => {
      const shown = await fixture.show(
        await fixture.createCluster({ cluster_template_id: template, labels }),
      );
      const { labels_overridden: other, labels_added: added, labels_skipped: skipped } = shown;
      return [shown['labels'], other, added, skipped].map(membersOf);
    };
    const [one, two] = [membersOf(all('one')), membersOf(all('two'))];
    expect(await differences(plain, all('two'))).toEqual([two, [], two, []]);
    expect(await differences(odd, all('two'))).toEqual([two, one, [], []]);
    expect(await differences(odd, { kube_tag: 'v1.35.4' })).toEqual([
      [['kube_tag', 'v1.35.4']],
      [],
      [['kube_tag', 'v1.35.4']],
      one,
    ]);
    expect(pollution()).toEqual([]);
  });
});
