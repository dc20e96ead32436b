/**
 * The actions that created consoles until microversion 2.5. Public source: Nova API reference, "Get
 * VNC Console (os-getVNCConsole Action)" and those of the other types.
 */
import type { Type } from '@nestjs/common';
import { EnumField, ObjectField } from '@cumulet/common/http/fields';
import { requireOffered } from '../../consoles/console-offers.js';
import { bodyWith, defineAction, type ServerAction } from './server-action.js';

interface Asked {
  readonly type: string;
}

export const getVncConsoleAction = consoleAction('os-getVNCConsole', 'get_vnc_console', [
  'novnc',
  'xvpvnc',
]);

export const getSerialConsoleAction = consoleAction('os-getSerialConsole', 'get_serial_console', [
  'serial',
]);

export const getSpiceConsoleAction = consoleAction('os-getSPICEConsole', 'get_spice_console', [
  'spice-html5',
]);

export const getRdpConsoleAction = consoleAction('os-getRDPConsole', 'get_rdp_console', [
  'rdp-html5',
]);

function consoleAction(name: string, verb: string, types: readonly string[]): ServerAction {
  return defineAction<Record<string, Asked>>({
    name,
    verb,
    body: bodyOf(name, types),
    until: 5,
    evenLocked: true,
    evenUnplaced: true,
    status: 200,
    async run(ctx, server, body, { remoteConsoles }) {
      const type = body[name]?.type ?? '';
      return {
        console: { type, url: await remoteConsoles.offer(ctx, server, requireOffered(type)) },
      };
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
