/** The trusts of clusters, and their end. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startClusters, type ClustersFixture } from '../clusters.fixture.js';
import type { Cluster } from '../clusters/cluster.entity.js';
import { clusters } from '../clusters/cluster.repository.js';

let fixture: ClustersFixture;

beforeAll(async () => {
  fixture = await startClusters({ config: { role: 'api', clusterQuota: -1, nodeQuota: 300 } });
});
afterAll(() => fixture.stop());

const rowOf = (id: string): Promise<Cluster> => clusters.get(fixture.ctx, id);

async function resized(id: string, count: number, token = fixture.token): Promise<Cluster> {
  const path = `/v1/clusters/${id}/actions/resize`;
  const answer = await fixture.ask('POST', path, { node_count: count }, { token });
  expect(answer.status).toBe(202);
  await fixture.work(id);
  expect(await fixture.show(id)).toMatchObject({ status: 'UPDATE_COMPLETE' });
  return rowOf(id);
}

const colleague = (): Promise<string> =>
  fixture.tokens.issue(['member'], { projectId: fixture.projectId });

it('keeps its trust for changes by the same user', async () => {
  const id = await fixture.made();
  const { trustId } = await rowOf(id);
  expect(await resized(id, 2)).toMatchObject({ trustId, formerTrustIds: [], credentialWanted: 1 });
});

it('gets a new trust and credential of the same user once the trust has ended', async () => {
  const id = await fixture.made();
  const { trustId: ended, pkiGeneration } = await rowOf(id);
  fixture.trusts.given.delete(ended ?? '');
  const after = await resized(id, 2);
  expect(fixture.trusts.given.has(after.trustId ?? '')).toBe(true);
  expect(after).toMatchObject({ formerTrustIds: [ended], credentialWanted: 2 });
  expect(after.pkiGeneration).toBe(pkiGeneration + 1);
  const { trustId } = after;
  expect(await resized(id, 3)).toMatchObject({ trustId, credentialWanted: 2 });
});

it("gets another user's trust, but a new credential only once the old one has ended", async () => {
  const id = await fixture.made();
  const { trustId: first } = await rowOf(id);
  const token = await colleague();
  const after = await resized(id, 2, token);
  expect(after).toMatchObject({ formerTrustIds: [first], credentialWanted: 1 });
  fixture.trusts.given.delete(first ?? '');
  const { trustId } = after;
  expect(await resized(id, 3, token)).toMatchObject({ trustId, credentialWanted: 2 });
});
