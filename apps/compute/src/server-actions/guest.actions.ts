import type { Type } from '@nestjs/common';
import { CheckedField, ObjectField, EnumField, StringField } from '@cumulet/common/http/fields';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import type { CreateConsoleDto } from '../consoles/console.dto.js';
import { recordAtOnce } from '../servers/instance-actions/record-action.js';
import { defineAction, bareBody, bodyWith, type ServerAction } from './server-action.js';
import { GuestConsole } from './guest-console.js';
import { RemoteConsoles } from '../consoles/remote-consoles.js';
import { AdminPasswordService } from './password/admin-password.service.js';

/** Lines as a number or digits; absent, null or -1 means all. */
function isLength(value: unknown): boolean {
  return /^(-1|\d{1,9})$/.test(String(value)) && ['number', 'string'].includes(typeof value);
}

export class GetConsoleOutputDto {
  @CheckedField(
    isLength,
    'must be a number of lines, or -1 for all',
    { type: 'integer', minimum: -1 },
    { optional: true, nullable: true },
  )
  length?: number | string | null;
}

export class GetConsoleOutputBody {
  @ObjectField(() => GetConsoleOutputDto)
  'os-getConsoleOutput': GetConsoleOutputDto;
}

/** Nova API reference, "Show Console Output (os-getConsoleOutput Action)". */
export const getConsoleOutputAction = defineAction<GetConsoleOutputBody>({
  name: 'os-getConsoleOutput',
  body: GetConsoleOutputBody,
  evenLocked: true,
  evenUnplaced: true,
  status: 200,
  async run(ctx, server, body, use) {
    const length = Number(body['os-getConsoleOutput'].length ?? -1);
    return { output: await use(GuestConsole).read(ctx, server, length < 0 ? undefined : length) };
  },
});

interface Asked {
  readonly type: CreateConsoleDto['type'];
}

/**
 * The last minor microversion that has actions which create consoles. Public source: Nova API reference,
 * "Get VNC Console (os-getVNCConsole Action)" and those of the other types.
 */
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
    async run(ctx, server, body, use) {
      const type = body[name]?.type ?? 'novnc';
      const url = await use(RemoteConsoles).offer(ctx, server, { protocol, type });
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

export class ChangePasswordDto {
  @StringField({ min: 0 })
  adminPass: string;
}

export class ChangePasswordBody {
  @ObjectField(() => ChangePasswordDto)
  changePassword: ChangePasswordDto;
}

/**
 * Nova API reference, "Change Administrative Password (changePassword Action)": only an agent in the
 * guest can change it, while that runs.
 */
export const changePasswordAction = defineAction<ChangePasswordBody>({
  name: 'changePassword',
  body: ChangePasswordBody,
  states: ['active'],
  async run(ctx, server, { changePassword }, use) {
    await recordAtOnce(ctx, server, 'changePassword', () =>
      use(AdminPasswordService).set(ctx, server, changePassword.adminPass),
    );
    return undefined;
  },
});

/**
 * Nova API reference, "Trigger Crash Dump In Server": an interrupt that no guest can mask. What it
 * makes of it is the guest's.
 */
export const triggerCrashDumpAction = defineAction({
  name: 'trigger_crash_dump',
  body: bareBody('trigger_crash_dump'),
  since: 17,
  states: ['active', 'paused', 'rescued', 'resized', 'error'],
  async run(ctx, server, _body, use) {
    await recordAtOnce(ctx, server, 'trigger_crash_dump', () =>
      use(GuestConsole).interrupt(ctx, server),
    );
    return undefined;
  },
});
