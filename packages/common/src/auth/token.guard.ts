/**
 * Runs before every handler, or earlier for requests with a body (create-http-app.ts): finds the
 * route's access rule, checks the token, and attaches the context to the request.
 *
 * A public route needs no token, and its context has no user and no roles.
 */
import { type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { DataSource } from 'typeorm';
import { asId, type Id } from '../context/ids.js';
import { RequestContext } from '../context/request-context.js';
import { ForbiddenError, InvalidInputError, UnauthenticatedError } from '../errors/domain-error.js';
import { globalRequestId } from '../context/request-id.js';
import type { RewrittenRequest } from '../context/rewritten-request.js';
import type { Microversion } from '../context/microversion.js';
import type { ServiceAddresses } from '../context/service-addresses.js';
import { ACCESS, mayCall, rolesOf, type Access } from './access.js';
import { isAllowed } from '../context/access-rules.js';
import type { TokenClaims } from '../context/token-claims.js';
import type { TokenVerifier } from './token-verifier.js';

declare module 'fastify' {
  interface FastifyRequest {
    microversion?: Microversion;
    /** The rule that was applied before the body was read. */
    admittedBy?: Access;
  }
}

export interface TokenGuardOptions {
  readonly verifier: TokenVerifier;
  readonly dataSource: DataSource;
  /** The service's type in the catalog, as access rules name it: `compute`. */
  readonly serviceType: string;
  readonly addresses: ServiceAddresses;
}

export class TokenGuard implements CanActivate {
  constructor(private readonly options: TokenGuardOptions) {}

  canActivate(host: ExecutionContext): boolean | Promise<boolean> {
    const access = Reflect.getMetadata(ACCESS, host.getHandler()) as Access | undefined;
    // Routes without a rule fail the start (route-table.ts); here they are simply refused.
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    if (access !== undefined && request.admittedBy === access) return true;
    if (access?.kind !== 'public') return this.admit(request, access);
    request.cumuletContext = this.#context(request, undefined, undefined);
    return true;
  }

  /** @throws UnauthenticatedError without a valid token, or ForbiddenError */
  async admit(request: FastifyRequest, access: Access | undefined): Promise<true> {
    const token = request.headers['x-auth-token'];
    if (typeof token !== 'string' || token === '') throw new UnauthenticatedError();
    const claims = await this.options.verifier.verify(token);
    checkAccess(claims, access, request);
    await this.#checkRules(claims, request);
    request.cumuletContext = this.#context(request, claims, token);
    return true;
  }

  /**
   * Allows a request beyond its application credential's rules if another service makes it while
   * serving an allowed one, as shown by that service's own token.
   */
  async #checkRules({ delegation }: TokenClaims, request: FastifyRequest): Promise<void> {
    if (delegation?.kind !== 'application-credential' || !delegation.accessRules) return;
    const { serviceType: service, verifier } = this.options;
    const path = request.originalUrl.split('?', 1)[0] ?? '';
    if (isAllowed(delegation.accessRules, { service, method: request.method, path })) return;
    const sister = request.headers['x-service-token'];
    if (typeof sister === 'string' && (await verifier.verify(sister)).roles.includes('service'))
      return;
    throw new ForbiddenError(
      `The access rules of the application credential do not allow ${request.method} ${path}.`,
    );
  }

  /** One literal with a fixed order of fields: a spread costs more than the rest of the guard. */
  #context(
    request: FastifyRequest,
    claims: TokenClaims | undefined,
    token: string | undefined,
  ): RequestContext {
    return new RequestContext({
      requestId: asId(request.id),
      globalRequestId: globalRequestId(request.headers['x-openstack-request-id']),
      userId: asId(claims?.userId ?? 'anonymous'),
      userDomainId: idIfAny(claims?.userDomainId),
      projectId: idIfAny(claims?.projectId),
      domainId: idIfAny(claims?.domainId),
      roles: claims?.roles ?? [],
      scope: claims?.scope,
      methods: claims?.methods,
      delegation: claims?.delegation,
      manager: this.options.dataSource.manager,
      token,
      microversion: request.microversion,
      baseUrl: this.options.addresses.baseUrl(request),
      guestView: this.options.addresses.guestView(request),
      requestUrl: request.originalUrl,
      clientAddress: claims ? undefined : request.ip,
    });
  }
}

function idIfAny<T extends Id<string>>(text: string | undefined): T | undefined {
  return text === undefined ? undefined : asId(text);
}

function checkAccess(
  claims: TokenClaims,
  access: Access | undefined,
  request: FastifyRequest,
): void {
  // The service itself evaluates policies, since they depend on the resource.
  if (access?.kind === 'authenticated' || access?.kind === 'policy') return;
  const operation = `${request.method} ${request.routeOptions.url ?? request.url}`;
  if (access?.kind !== 'role') throw new ForbiddenError(`${operation} is open to nobody.`);
  if (claims.projectId === undefined) {
    throw new ForbiddenError(
      `${operation} needs a token of a project; this one is ${claims.scope}.`,
    );
  }
  if (!mayCall(claims.roles, access)) {
    const has = claims.roles.length > 0 ? claims.roles.join(', ') : 'none';
    throw new ForbiddenError(
      `${operation} needs the role ${rolesOf(access).join(' or ')}; the token has ${has}.`,
    );
  }
  const { pathProjectId } = request.raw as RewrittenRequest;
  if (
    pathProjectId !== undefined &&
    !sameId(pathProjectId, claims.projectId) &&
    !claims.roles.includes('admin')
  ) {
    throw new InvalidInputError(
      `Malformed request URL: its project_id '${pathProjectId}' is not the project '${claims.projectId}' of the token.`,
    );
  }
}

function sameId(one: string, other: string): boolean {
  return one.replaceAll('-', '').toLowerCase() === other.replaceAll('-', '').toLowerCase();
}
