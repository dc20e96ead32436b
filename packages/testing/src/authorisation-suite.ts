/**
 * Tests every route of a service against its own table: without a token, with a forged one, in each
 * role, without a project. The ID in the path does not exist, so that a permitted call answers anything
 * but 401 and 403.
 */
import { expect, it } from '@jest/globals';
import { mayCall, type Access } from '@cumulet/common/auth/access';
import { ROLES } from '@cumulet/common/context/request-context';
import type { Route } from '@cumulet/common/http/route-table';
import { expectRows } from './expect-rows.js';
import type { TestClient } from './http-client.js';
import { rawRequest } from './raw-request.js';
import { newId, type TestTokens } from './test-tokens.js';

export interface AuthorisationSubject {
  readonly client: TestClient;
  readonly tokens: TestTokens;
}

type Verdict = 401 | 403 | 'let through';

interface Caller {
  readonly who: string;
  readonly token?: (tokens: TestTokens) => Promise<string>;
  /** @returns the expected answer of a route with this access */
  readonly wanted: (access: Access) => Verdict;
}

const UNSIGNED = 'eyJhbGciOiJub25lIn0.e30.';

const STRANGERS: readonly Caller[] = [
  { who: 'nobody', wanted: () => 401 },
  {
    who: 'a token that nobody signed',
    token: () => Promise.resolve(UNSIGNED),
    wanted: () => 401,
  },
];

const HOLDERS: readonly Caller[] = [
  ...ROLES.map((role): Caller => ({
    who: role,
    token: (tokens) => tokens.issue([role]),
    wanted: (access) => (access.kind === 'role' && mayCall([role], access) ? 'let through' : 403),
  })),
  {
    who: 'a token without a project',
    token: (tokens) => tokens.issue([], { projectId: undefined, scope: 'unscoped' }),
    wanted: () => 403,
  },
];

/**
 * @param routes the table
 * @param subject the running app
 */
export function authorisationSuite(
  routes: readonly Route[],
  subject: () => AuthorisationSubject,
): void {
  const guarded = routes.filter(({ access }) => access.kind !== 'public');
  const asked = guarded.flatMap((route) => {
    const callers = route.access.kind === 'role' ? [...STRANGERS, ...HOLDERS] : STRANGERS;
    return callers.map((caller) => ({ route, caller }));
  });

  it('let exactly their callers through', async () => {
    await expectRows(
      asked,
      ({ route, caller }) => `${route.method} ${route.path} for ${caller.who}`,
      async ({ route: { method, path, access }, caller: { token, wanted } }) => {
        const { client, tokens } = subject();
        const body = method === 'GET' || method === 'HEAD' ? undefined : {};
        const request = { token: await token?.(tokens), body };
        const { status } = await client.send(method, withIds(path), request);
        const verdict = status === 401 || status === 403 ? status : 'let through';
        expect(verdict).toBe(wanted(access));
      },
    );
  });

  it('ask for a token before the body', async () => {
    await expectRows(
      guarded,
      ({ method, path }) => `${method} ${path}`,
      async (route) => {
        const { client } = subject();
        const path = withIds(route.path);
        const head = `${route.method} ${new URL(client.baseUrl + path).pathname} HTTP/1.1`;
        const body = 'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{';
        const answer = await rawRequest(client.baseUrl, `${head}\r\nHost: x\r\n${body}`);
        expect([answer.status, answer.headers.get('Connection')]).toEqual([401, 'close']);
        const whole = await client.send(route.method, path);
        expect(withoutIds(answer.body)).toBe(withoutIds(whole.body));
      },
    );
  });
}

function withIds(path: string): string {
  return path.replaceAll(/\{\w+\}/g, () => newId());
}

/** Some services name the request in the body of an error. */
function withoutIds(body: unknown): string {
  // Undefined for a body that is not JSON.
  return JSON.stringify(body ?? null).replaceAll(/req-[0-9a-f-]{36}/g, 'req-id');
}
