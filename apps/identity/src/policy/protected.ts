import { applyDecorators, SetMetadata, UseGuards } from '@nestjs/common';
import { ACCESS, type Access } from '@cumulet/common/auth/access';
import { PolicyGuard } from './policy.guard.js';
import { POLICY, type Operation } from './policy.js';

/** A route that the policy opens, as soon as what its path and body name is known. */
export function Protected(operation: Operation): MethodDecorator {
  return applyDecorators(SetMetadata(ACCESS, accessOf(operation)), UseGuards(PolicyGuard));
}

/** The same, where only the handler can tell what the request is about: it calls `authorise`. */
export function ProtectedInHandler(operation: Operation): MethodDecorator {
  return SetMetadata(ACCESS, accessOf(operation));
}

function accessOf(operation: Operation): Access {
  return { kind: 'policy', operation, personas: POLICY[operation].map(({ name }) => name) };
}
