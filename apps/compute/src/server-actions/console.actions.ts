/**
 * The actions that created consoles until microversion 2.5. Public source: Nova API reference, "Get
 * VNC Console (os-getVNCConsole Action)" and those of the other types.
 */
import type { Type } from '@nestjs/common';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { EnumField, ObjectField } from '@cumulet/common/http/fields';
import type { CreateConsoleDto } from '../consoles/console.dto.js';
import { bareBody, bodyWith, defineAction, type ServerAction } from './server-action.js';

interface Asked {
  readonly type: CreateConsoleDto['type'];
}

/** The last minor microversion that has them. */
const LAST = 5;

/** What a web framework says of a bad request where nothing else is said. */
const MALFORMED =
  'The server could not comply with the request since it is either malformed or otherwise incorrect.';

export const getVncConsoleAction = consoleAction('os-getVNCConsole', 'vnc', ['novnc', 'xvpvnc']);

export const getSerialConsoleAction = consoleAction('os-getSerialConsole', 'serial', ['serial']);

export const getSpiceConsoleAction = consoleAction('os-getSPICEConsole', 'spice', ['spice-html5']);

/** Nova has no hypervisor with RDP any more, and refuses whatever is asked. */
export const getRdpConsoleAction = defineAction({
  name: 'os-getRDPConsole',
  body: bareBody('os-getRDPConsole'),
  until: LAST,
  evenLocked: true,
  evenUnplaced: true,
  status: 200,
  run: () => Promise.reject(new InvalidInputError(MALFORMED)),
});

function consoleAction(
  name: string,
  protocol: CreateConsoleDto['protocol'],
  types: readonly string[],
): ServerAction {
  return defineAction<Record<string, Asked>>({
    name,
    verb: `get_${protocol}_console`,
    body: bodyOf(name, types),
    until: LAST,
    evenLocked: true,
    evenUnplaced: true,
    status: 200,
    async run(ctx, server, body, { remoteConsoles }) {
      const type = body[name]?.type ?? 'novnc';
      const url = await remoteConsoles.offer(ctx, server, { protocol, type });
      return { console: { type, url } };
    },
  });
}

function bodyOf(name: string, types: readonly string[]): Type<Record<string, Asked>> {
  const title = name.replace(/^os-g/, 'G');
  class Dto {
    type: string;
  }
  EnumField(types)(Dto.prototype, 'type');
  Object.defineProperty(Dto, 'name', { value: `${title}Dto` });
  return bodyWith(
    title,
    name,
    ObjectField(() => Dto),
  );
}
