import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { RequestContext } from '@cumulet/common/context/request-context';
import { newId } from '@cumulet/testing/test-tokens';
import { errorOf, TestImages } from '../../images.fixture.js';
import { insertImage } from '../image-row.fixture.js';

let images: TestImages;

beforeAll(async () => {
  images = await TestImages.start({ role: 'api' });
});
afterAll(() => images.stop());

function act(action: string, id: string, token = images.admin): Promise<TestResponse> {
  return images.client.post(`/v2/images/${id}/actions/${action}`, { token });
}

function download(id: string, token: string): Promise<TestResponse> {
  return images.client.get(`/v2/images/${id}/file`, { token });
}

describe('POST /v2/images/{image_id}/actions/deactivate', () => {
  it('restricts the data to administrators', async () => {
    const { id } = await images.createActive('bytes');
    const response = await act('deactivate', id);
    expect([response.status, response.text]).toEqual([204, '']);
    expect(await images.show(id, images.reader)).toMatchObject({ status: 'deactivated' });
    const answers = [
      await download(id, images.member),
      await download(id, images.service),
      await download(id, images.admin),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 200]);
    expect(errorOf(answers[0] as TestResponse).message).toContain('is deactivated');
  });

  it('does nothing the second time', async () => {
    const { id } = await images.createActive('bytes');
    await act('deactivate', id);
    expect((await act('deactivate', id)).status).toBe(204);
  });
});

describe('POST /v2/images/{image_id}/actions/reactivate', () => {
  it('reopens the data', async () => {
    const { id } = await images.createActive('bytes');
    await act('deactivate', id);
    expect((await act('reactivate', id)).status).toBe(204);
    expect((await download(id, images.member)).text).toBe('bytes');
  });

  it('leaves an active image unchanged', async () => {
    const { id } = await images.createActive('bytes');
    expect((await act('reactivate', id)).status).toBe(204);
  });
});

describe.each(['deactivate', 'reactivate'])('%s', (action) => {
  it('allows the owner and administrators', async () => {
    const { id } = await images.createActive('bytes', { visibility: 'community' });
    expect((await act(action, id, images.member)).status).toBe(204);
    expect((await act(action, id, images.admin)).status).toBe(204);
    expect((await act(action, id, images.stranger)).status).toBe(403);
  });

  it('answers 404 for a missing image', async () => {
    expect((await act(action, newId())).status).toBe(404);
  });

  it.each(['queued', 'saving', 'staging', 'staged', 'importing', 'killed'] as const)(
    'is refused while the image is %s',
    async (state) => {
      const ctx = RequestContext.system('req-test', images.app.dataSource.manager);
      const { id } = await insertImage(ctx, { state });
      const response = await act(action, id);
      expect(response.status).toBe(403);
      expect(errorOf(response).message).toMatch(
        new RegExp(`^Cannot ${action} image ${id} while its status is '\\w+'\\.$`),
      );
    },
  );
});
