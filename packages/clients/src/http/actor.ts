/**
 * The actor of a request to a sister service: the first parameter of every method of its client.
 *
 * - The caller, while its request is served: what it may not do, its request may not do.
 * - The service itself, with its role `service`, on resources of the project that the request names:
 *   work on infrastructure must go on, and above all be undone, after the caller has lost its token
 *   or its rights.
 * - A user who gave a trust, with the roles of that trust, for work of the user's own after the
 *   request. It ends with the trust.
 *
 * Always holds: an actor of work that outlives a request holds no token.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';

/** The request or job whose ID the sister logs too. */
export type Origin = Pick<RequestContext, 'requestId' | 'globalRequestId'>;

export type Actor =
  | {
      readonly as: 'caller';
      readonly token: string;
      /** Whether access rules limit the token; they apply to clients, not to services. */
      readonly isRuled: boolean;
      readonly origin?: Origin | undefined;
    }
  | {
      readonly as: 'service';
      readonly origin?: Origin | undefined;
      /** The domain of its role; by default its project. */
      readonly domainId?: string;
    }
  | { readonly as: 'trustor'; readonly trustId: string; readonly origin?: Origin | undefined };

/** @throws Error in a job, which has no caller */
export function asCaller(ctx: RequestContext): Actor {
  const { token, delegation } = ctx.fields;
  if (token === undefined) throw new Error('only a request has a caller to act as');
  const isRuled =
    delegation?.kind === 'application-credential' && delegation.accessRules !== undefined;
  return { as: 'caller', token, isRuled, origin: ctx };
}

/** The bearer of a token. */
export function asBearer(token: string): Actor {
  return { as: 'caller', token, isRuled: false };
}

export function asService(origin?: Origin): Actor {
  return { as: 'service', origin };
}

/** @param domainId a domain whose users the service manages */
export function asServiceOf(domainId: string, origin?: Origin): Actor {
  return { as: 'service', domainId, origin };
}

/** @param trustId of `DelegationClient.create`, as stored with the work */
export function throughTrust(origin: Origin | undefined, trustId: string): Actor {
  return { as: 'trustor', trustId, origin };
}
