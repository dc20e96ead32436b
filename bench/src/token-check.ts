/** What checking a token costs a service: once by its signature, and from then on from the cache. */
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { TokenClaims } from '@cumulet/common/context/token-claims';
import { toPayload } from '@cumulet/common/auth/token-payload';
import { TokenVerifier } from '@cumulet/common/auth/token-verifier';
import { median } from './measure.js';

const ROUNDS = 5;
const CACHED_CHECKS = 50_000;
const FIRST_CHECKS = 500;

export interface TokenCheckCost {
  /** Microseconds of one check. */
  readonly cached: number;
  readonly first: number;
}

export async function measureTokenCheck(): Promise<TokenCheckCost> {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'bench', alg: 'EdDSA' };
  const sign = (claims: TokenClaims): Promise<string> =>
    new SignJWT(toPayload(claims))
      .setProtectedHeader({ alg: 'EdDSA', kid: 'bench' })
      .sign(privateKey);
  const verifier = new TokenVerifier({
    keys: () => Promise.resolve({ keys: [jwk] }),
    revocations: () => Promise.resolve(someEvents()),
  });
  const tokens = await Promise.all(
    Array.from({ length: FIRST_CHECKS * ROUNDS }, (_, at) => sign(claims(String(at)))),
  );
  const [token = ''] = tokens;
  await verifier.verify(token);
  const cached: number[] = [];
  const first: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const fresh = tokens.slice(round * FIRST_CHECKS, (round + 1) * FIRST_CHECKS);
    first.push(await microseconds(fresh, (one) => verifier.verify(one)));
    const again = new Array<string>(CACHED_CHECKS).fill(token);
    cached.push(await microseconds(again, (one) => verifier.verify(one)));
  }
  return { cached: median(cached), first: median(first) };
}

/** Sequentially, as the requests of one process are. */
async function microseconds(
  tokens: readonly string[],
  check: (token: string) => Promise<unknown>,
): Promise<number> {
  const began = performance.now();
  for (const token of tokens) await check(token);
  return ((performance.now() - began) * 1000) / tokens.length;
}

/** As many as a busy hour leaves; none of them is about these tokens. */
function someEvents(): { userId: string; issuedBefore: number }[] {
  return Array.from({ length: 1_000 }, (_, at) => ({
    userId: `revoked ${at}`,
    issuedBefore: Date.now(),
  }));
}

function claims(auditId: string): TokenClaims {
  return {
    userId: 'a'.repeat(32),
    userDomainId: 'default',
    projectId: 'b'.repeat(32),
    domainId: 'default',
    scope: 'project',
    roles: ['member', 'reader'],
    methods: ['password'],
    auditIds: [auditId],
    issuedAt: Date.now(),
    expiresAt: Date.now() + 3_600_000,
  };
}
