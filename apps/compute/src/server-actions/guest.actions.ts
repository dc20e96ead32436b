/** Actions inside a guest. Public source: Nova API reference, "Servers - run an action". */
import { CheckedField, EnumField, StringField } from '@cumulet/common/http/fields';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import type { CreateConsoleDto } from '../consoles/console.dto.js';
import { RemoteConsoles } from '../consoles/remote-consoles.js';
import { recordAtOnce } from '../servers/instance-actions/record-action.js';
import { defineAction, titleOf, type DefinedAction } from './server-action.js';
import { GuestConsole } from './guest-console.js';
import { AdminPasswordService } from './password/admin-password.service.js';

class ChangePasswordDto {
  @StringField({ min: 0 })
  adminPass: string;
}

export const GUEST_ACTIONS = [
  // Only an agent in the guest can change its password, while it runs.
  defineAction({
    name: 'changePassword',
    takes: ChangePasswordDto,
    states: ['active'],
    run: (ctx, server, { adminPass }, use) =>
      recordAtOnce(ctx, server, 'changePassword', () =>
        use(AdminPasswordService).set(ctx, server, adminPass),
      ),
  }),
  // Non-maskable; the guest decides how it reacts.
  defineAction({
    name: 'trigger_crash_dump',
    since: 17,
    states: ['active', 'paused', 'rescued', 'resized', 'error'],
    run: (ctx, server, _dto, use) =>
      recordAtOnce(ctx, server, 'trigger_crash_dump', () =>
        use(GuestConsole).interrupt(ctx, server),
      ),
  }),
];

class GetConsoleOutputDto {
  @CheckedField(
    (value) => /^(-1|\d{1,9})$/.test(String(value)) && ['number', 'string'].includes(typeof value),
    'must be a number of lines, or -1 for all',
    { type: 'integer', minimum: -1 },
    { optional: true, nullable: true },
  )
  length?: number | string | null;
}

/** Consoles work in every state. */
const CONSOLE = { evenLocked: true, evenUnplaced: true, status: 200 } as const;

/** The last minor microversion of actions that create consoles. */
const LAST = 5;

/** Nova's web framework's message for a bad request without one of its own. */
const MALFORMED =
  'The server could not comply with the request since it is either malformed or otherwise incorrect.';

export const CONSOLE_ACTIONS = [
  defineAction({
    ...CONSOLE,
    name: 'os-getConsoleOutput',
    takes: GetConsoleOutputDto,
    async run(ctx, server, dto, use) {
      const length = Number(dto.length ?? -1);
      return { output: await use(GuestConsole).read(ctx, server, length < 0 ? undefined : length) };
    },
  }),
  consoleAction('os-getVNCConsole', 'vnc', ['novnc', 'xvpvnc']),
  consoleAction('os-getSerialConsole', 'serial', ['serial']),
  consoleAction('os-getSPICEConsole', 'spice', ['spice-html5']),
  // Nova no longer has a hypervisor with RDP, and refuses every request.
  defineAction({
    ...CONSOLE,
    name: 'os-getRDPConsole',
    until: LAST,
    run: () => Promise.reject<undefined>(new InvalidInputError(MALFORMED)),
  }),
];

function consoleAction(
  name: string,
  protocol: CreateConsoleDto['protocol'],
  types: readonly CreateConsoleDto['type'][],
): DefinedAction {
  class ConsoleDto {
    type: CreateConsoleDto['type'];
  }
  EnumField(types)(ConsoleDto.prototype, 'type');
  Object.defineProperty(ConsoleDto, 'name', { value: `${titleOf(name)}Dto` });
  return defineAction({
    ...CONSOLE,
    name,
    verb: `get_${protocol}_console`,
    takes: ConsoleDto,
    until: LAST,
    async run(ctx, server, { type }, use) {
      const url = await use(RemoteConsoles).offer(ctx, server, { protocol, type });
      return { console: { type, url } };
    },
  });
}
