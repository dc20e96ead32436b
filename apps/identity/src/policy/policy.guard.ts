import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ACCESS, type Access } from '@cumulet/common/auth/access';
import { Feature } from '@cumulet/common/service/feature';
import { PolicyTargetRepository } from './policy-target.repository.js';
import { authorise, type Operation } from './policy.js';
import { PolicyTargets } from './policy-targets.js';

/** Looks up what the request is about, and asks the policy. The token guard has run before. */
@Injectable()
export class PolicyGuard implements CanActivate {
  constructor(private readonly targets: PolicyTargets) {}

  async canActivate(host: ExecutionContext): Promise<boolean> {
    const access = Reflect.getMetadata(ACCESS, host.getHandler()) as Access;
    if (access.kind !== 'policy') throw new Error('the policy guard stands on a route without one');
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const ctx = request.cumuletContext;
    if (!ctx) throw new Error('the request has not passed the token guard');
    authorise(ctx, access.operation as Operation, await this.targets.of(ctx, request));
    return true;
  }
}

@Feature({
  providers: [PolicyGuard, PolicyTargets, PolicyTargetRepository],
})
export class PolicyModule {}
