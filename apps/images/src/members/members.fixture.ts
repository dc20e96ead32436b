import type { TestResponse } from '@cumulet/testing/http-client';
import type { TestImages } from '../images.fixture.js';

/** Shares an image of `images.project`. */
export function share(
  images: TestImages,
  id: string,
  member: string,
  token = images.member,
): Promise<TestResponse> {
  return images.client.post(`/v2/images/${id}/members`, { token, body: { member } });
}

/** Says, with a token of the member, whether it takes the image. */
export function answer(
  images: TestImages,
  id: string,
  member: string,
  status: string,
  token: string,
): Promise<TestResponse> {
  return images.client.put(`/v2/images/${id}/members/${member}`, { token, body: { status } });
}
