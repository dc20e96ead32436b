/**
 * The caller, project and transaction of a request, always the first parameter.
 *
 * Always holds: repositories take their entity manager only from here, so no statement escapes its
 * transaction.
 */
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { EntityManager } from 'typeorm';
import type { Delegation, TokenScope } from './token-claims.js';
import type { RequestTransaction } from './request-transaction.js';
import type { Microversion } from './microversion.js';
import type { GuestView } from './service-addresses.js';
import { asId, type DomainId, type ProjectId, type RequestId, type UserId } from './ids.js';

/** `admin` includes `member`, which includes `reader`; `service` marks a sister service. */
export const ROLES = ['reader', 'member', 'admin', 'service'] as const;
export type Role = (typeof ROLES)[number];

export interface RequestContextFields {
  readonly requestId: RequestId;
  /** The caller's ID for a chain of requests, passed on to other services. */
  readonly globalRequestId?: RequestId | undefined;
  readonly userId: UserId;
  readonly userDomainId?: DomainId | undefined;
  /** Absent for unscoped, domain and system tokens. */
  readonly projectId?: ProjectId | undefined;
  readonly domainId?: DomainId | undefined;
  readonly roles: readonly string[];
  readonly scope?: TokenScope | undefined;
  /** The authentication methods of the token. */
  readonly methods?: readonly string[] | undefined;
  /** Present when the caller acts through a trust or an application credential. */
  readonly delegation?: Delegation | undefined;
  readonly manager: EntityManager;
  /** The transaction of a request with an Idempotency-Key; see `inTransaction`. */
  readonly held?: RequestTransaction | undefined;
  /** The caller's token, for calling sister services within this request; never stored. */
  readonly token?: string | undefined;
  readonly microversion?: Microversion | undefined;
  /** The service's public address without a trailing slash, for links in views. */
  readonly baseUrl?: string | undefined;
  /** Present for a guest, which reaches the cloud at another address. */
  readonly guestView?: GuestView | undefined;
  /** The path and query as the client sent them, below `baseUrl`; for links to next pages. */
  readonly requestUrl?: string | undefined;
  /** The IP address of a request without a token. */
  readonly clientAddress?: string | undefined;
}

/** The part of a context that outlives the request, as stored in a job's payload. */
export interface SerialisedContext {
  readonly requestId: string;
  readonly globalRequestId?: string | undefined;
  readonly userId: string;
  readonly projectId?: string | undefined;
  readonly roles: readonly string[];
}

export class RequestContext {
  readonly requestId: RequestId;
  readonly globalRequestId: RequestId | undefined;
  readonly userId: UserId;
  readonly roles: readonly string[];

  constructor(readonly fields: RequestContextFields) {
    this.requestId = fields.requestId;
    this.globalRequestId = fields.globalRequestId;
    this.userId = fields.userId;
    this.roles = fields.roles;
  }

  /** That of the open transaction, if any. */
  get manager(): EntityManager {
    return this.fields.held?.manager ?? this.fields.manager;
  }

  /** The project of the token. Routes that need one are guarded, so its absence is a bug. */
  get projectId(): ProjectId {
    if (this.fields.projectId === undefined) throw new Error('the context has no project');
    return this.fields.projectId;
  }

  get baseUrl(): string {
    return this.fields.baseUrl ?? '';
  }

  get isAdmin(): boolean {
    return this.roles.includes('admin');
  }

  get isService(): boolean {
    return this.roles.includes('service');
  }

  /** The same caller on the given manager (that of an open transaction). */
  withManager(manager: EntityManager): RequestContext {
    return new RequestContext({ ...this.fields, manager, held: undefined });
  }

  serialise(): SerialisedContext {
    const { requestId, globalRequestId, userId, projectId, roles } = this.fields;
    return { requestId, globalRequestId, userId, projectId, roles };
  }

  /** Restores the context of a job from its payload. */
  static deserialise(from: SerialisedContext, manager: EntityManager): RequestContext {
    return new RequestContext({
      requestId: asId(from.requestId),
      globalRequestId: from.globalRequestId === undefined ? undefined : asId(from.globalRequestId),
      userId: asId(from.userId),
      projectId: from.projectId === undefined ? undefined : asId(from.projectId),
      roles: from.roles,
      manager,
    });
  }

  /** The context of work that no request started: sweeps, synchronisation, bootstrap. */
  static system(requestId: string, manager: EntityManager): RequestContext {
    return new RequestContext({
      requestId: asId(requestId),
      userId: asId('system'),
      roles: ['admin'],
      manager,
    });
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the token guard; on a public route it has no user. */
    cumuletContext?: RequestContext;
  }
}

/** The request's context, as a controller's first parameter. */
export const Ctx = createParamDecorator((_: unknown, host: ExecutionContext): RequestContext => {
  const context = host.switchToHttp().getRequest<FastifyRequest>().cumuletContext;
  if (!context) throw new Error('the request has not passed the token guard');
  return context;
});
