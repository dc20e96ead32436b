/** Which of Nova's consoles there are here. */
import { CONSOLE_TYPES, type ConsoleType } from './console-token.entity.js';
import type { CreateConsoleDto } from './console.dto.js';
import { ConsoleTypeInvalidError, ConsoleTypeUnavailableError } from './console.errors.js';

/** The types that each protocol has in Nova. */
const TYPES_OF: Readonly<Record<CreateConsoleDto['protocol'], readonly string[]>> = {
  vnc: ['novnc', 'xvpvnc'],
  spice: ['spice-html5', 'spice-direct'],
  serial: ['serial'],
  rdp: ['rdp-html5'],
  mks: ['webmks'],
};

/** @throws ConsoleTypeInvalidError for a type of another protocol; ConsoleTypeUnavailableError */
export function typeOf({ protocol, type }: CreateConsoleDto): ConsoleType {
  if (!TYPES_OF[protocol].includes(type)) throw new ConsoleTypeInvalidError(type);
  return requireOffered(type);
}

/** @throws ConsoleTypeUnavailableError for a type that guests do not have here */
export function requireOffered(type: string): ConsoleType {
  const found = CONSOLE_TYPES.find((one) => one === type);
  if (found === undefined) throw new ConsoleTypeUnavailableError(type);
  return found;
}
