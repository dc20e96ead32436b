/**
 * Tests every route of a service against its own table: without a token, as a reader, from another
 * project. It uses an id that does not exist, so a permitted call answers anything but 401 and 403.
 */
import { describe, expect, it } from '@jest/globals';
import { mayCall } from '@cumulet/common/auth/access';
import { ROLES } from '@cumulet/common/context/request-context';
import type { Route } from '@cumulet/common/http/route-table';
import type { TestClient } from './http-client.js';
import { rawRequest } from './raw-request.js';
import { newId, type TestTokens } from './test-tokens.js';

export interface AuthorisationSubject {
  readonly client: TestClient;
  readonly tokens: TestTokens;
}

/**
 * @param routes the table, known before the app starts so that each route is a test of its own
 * @param subject the running app
 */
export function authorisationSuite(
  routes: readonly Route[],
  subject: () => AuthorisationSubject,
): void {
  describe.each(routes.filter(({ access }) => access.kind !== 'public'))(
    '$method $path',
    (route) => {
      const path = route.path.replaceAll(/\{\w+\}/g, () => newId());
      const ask = async (token?: string): Promise<number> => {
        const body = route.method === 'GET' || route.method === 'HEAD' ? undefined : {};
        return (await subject().client.send(route.method, path, { token, body })).status;
      };

      it('answers 401 without a token', async () => {
        expect(await ask()).toBe(401);
      });

      it('answers 401 without a token before the body is there', async () => {
        const { baseUrl } = subject().client;
        const head = `${route.method} ${new URL(baseUrl + path).pathname} HTTP/1.1\r\nHost: x`;
        const body = 'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{';
        const answer = await rawRequest(baseUrl, `${head}\r\n${body}`);
        expect([answer.status, answer.headers.get('Connection')]).toEqual([401, 'close']);
        const whole = await subject().client.send(route.method, path);
        expect(withoutIds(answer.body)).toEqual(withoutIds(whole.body));
      });

      it('answers 401 to a token nobody signed', async () => {
        expect(await ask('eyJhbGciOiJub25lIn0.e30.')).toBe(401);
      });

      const { access } = route;
      if (access.kind !== 'role') return;
      it.each(ROLES.map((role) => ({ role })))('keeps to its rule for $role', async ({ role }) => {
        const status = await ask(await subject().tokens.issue([role]));
        if (mayCall([role], access)) expect([401, 403]).not.toContain(status);
        else expect(status).toBe(403);
      });

      it('answers 403 to a token without a project', async () => {
        const token = await subject().tokens.issue([], { projectId: undefined, scope: 'unscoped' });
        expect(await ask(token)).toBe(403);
      });
    },
  );
}

/** Some services name the request in the body of an error. */
function withoutIds(body: unknown): string {
  // What is no JSON has none here.
  return JSON.stringify(body ?? null).replaceAll(/req-[0-9a-f-]{36}/g, 'req-id');
}
