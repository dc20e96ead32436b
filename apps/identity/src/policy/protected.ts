import {
  applyDecorators,
  Injectable,
  SetMetadata,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ACCESS, type Access } from '@cumulet/common/auth/access';
import { Feature } from '@cumulet/common/service/feature';
import { authorise, POLICY, type Operation } from './policy.js';
import { PolicyTargets } from './policy-target.js';

/** Runs after the token guard. */
@Injectable()
export class PolicyGuard implements CanActivate {
  constructor(private readonly targets: PolicyTargets) {}

  async canActivate(host: ExecutionContext): Promise<boolean> {
    const access = Reflect.getMetadata(ACCESS, host.getHandler()) as Access;
    if (access.kind !== 'policy')
      throw new Error('the policy guard is on a route without a policy');
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const ctx = request.cumuletContext;
    if (!ctx) throw new Error('the request has not passed the token guard');
    authorise(ctx, access.operation as Operation, await this.targets.of(ctx, request));
    return true;
  }
}

/** A route guarded by the policy, by the names in its path and body. */
export function Protected(operation: Operation): MethodDecorator {
  return applyDecorators(SetMetadata(ACCESS, accessOf(operation)), UseGuards(PolicyGuard));
}

/** For a handler that calls `authorise` itself. */
export function ProtectedInHandler(operation: Operation): MethodDecorator {
  return SetMetadata(ACCESS, accessOf(operation));
}

function accessOf(operation: Operation): Access {
  return { kind: 'policy', operation, personas: POLICY[operation].map(({ name }) => name) };
}

@Feature({ providers: [PolicyGuard, PolicyTargets] })
export class PolicyModule {}
