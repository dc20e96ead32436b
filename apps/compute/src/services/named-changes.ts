/** What the last part of `PUT /os-services/{action}` asks for, until microversion 2.52. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError, InvalidInputError } from '@cumulet/common/errors/domain-error';
import type { Host } from '../hosts/host.entity.js';
import { versionOf } from '../versions/microversions.js';
import type { NamedServiceBody } from './service.dto.js';

interface NamedChange {
  readonly set: Partial<Host>;
  /** What the answer tells of it. */
  readonly shown: object;
}

class UnknownActionError extends DomainError {
  constructor() {
    super('not-found', 'Unknown action');
  }
}

interface Action {
  /** The minor microversion that it came with. */
  readonly since?: number;
  readonly of: (body: NamedServiceBody) => NamedChange;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  enable: {
    of: () => ({ set: { enabled: true, disabledReason: null }, shown: { status: 'enabled' } }),
  },
  disable: {
    of: () => ({ set: { enabled: false, disabledReason: null }, shown: { status: 'disabled' } }),
  },
  'disable-log-reason': {
    of: ({ disabled_reason: reason }) => {
      if (reason === undefined) throw new InvalidInputError('Missing disabled reason field');
      return {
        set: { enabled: false, disabledReason: reason },
        shown: { status: 'disabled', disabled_reason: reason },
      };
    },
  },
  'force-down': {
    since: 11,
    of: ({ forced_down: down }) => {
      if (down === undefined) throw new InvalidInputError('Missing forced_down field');
      return { set: { forcedDown: down }, shown: { forced_down: down } };
    },
  },
};

/**
 * @throws UnknownActionError for none of the microversion's
 * @throws InvalidInputError if the body lacks what the action needs
 */
export function namedChangeOf(
  ctx: RequestContext,
  name: string,
  body: NamedServiceBody,
): NamedChange {
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (!action || !versionOf(ctx).atLeast(action.since ?? 1)) throw new UnknownActionError();
  return action.of(body);
}
