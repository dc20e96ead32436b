/**
 * Tests every route of a service against its own table: without a token, with a forged one, in each
 * role, without a project. The ID in the path does not exist, so that a permitted call answers anything
 * but 401 and 403.
 */
import { expect, it } from '@jest/globals';
import { mayCall, type Access } from '@cumulet/common/auth/access';
import { ROLES } from '@cumulet/common/context/request-context';
import type { Route } from '@cumulet/common/http/route-table';
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
 * @param routes the table, known before the app starts so that each route is a test of its own
 * @param subject the running app
 */
export function authorisationSuite(
  routes: readonly Route[],
  subject: () => AuthorisationSubject,
): void {
  const guarded = routes.filter(({ access }) => access.kind !== 'public');

  it.each(guarded)('lets exactly its callers $method $path', async (route) => {
    const { method, access } = route;
    const { client, tokens } = subject();
    const path = route.path.replaceAll(/\{\w+\}/g, () => newId());
    const body = method === 'GET' || method === 'HEAD' ? undefined : {};
    const callers = access.kind === 'role' ? [...STRANGERS, ...HOLDERS] : STRANGERS;
    const answers: Record<string, Verdict> = {};
    for (const { who, token } of callers) {
      const { status } = await client.send(method, path, { token: await token?.(tokens), body });
      answers[who] = status === 401 || status === 403 ? status : 'let through';
    }
    expect(answers).toEqual(
      Object.fromEntries(callers.map(({ who, wanted }) => [who, wanted(access)])),
    );
  });

  it.each(guarded)('asks for a token before the body: $method $path', async (route) => {
    const { baseUrl } = subject().client;
    const path = route.path.replaceAll(/\{\w+\}/g, () => newId());
    const head = `${route.method} ${new URL(baseUrl + path).pathname} HTTP/1.1\r\nHost: x`;
    const body = 'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{';
    const answer = await rawRequest(baseUrl, `${head}\r\n${body}`);
    expect([answer.status, answer.headers.get('Connection')]).toEqual([401, 'close']);
    const whole = await subject().client.send(route.method, path);
    expect(withoutIds(answer.body)).toEqual(withoutIds(whole.body));
  });
}

/** Some services name the request in the body of an error. */
function withoutIds(body: unknown): string {
  // Undefined for a body that is not JSON.
  return JSON.stringify(body ?? null).replaceAll(/req-[0-9a-f-]{36}/g, 'req-id');
}
