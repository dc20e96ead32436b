/** Which of Nova's consoles there are here. Public source: nova, `compute/manager.py`, get_vnc_console. */
import type { ConsoleType } from './console-token.entity.js';
import type { CreateConsoleDto } from './console.dto.js';
import { ConsoleTypeInvalidError, ConsoleTypeUnavailableError } from './console.errors.js';

/** The type that each protocol has which guests have here. */
const OFFERED: Partial<Record<CreateConsoleDto['protocol'], ConsoleType>> = {
  vnc: 'novnc',
  serial: 'serial',
};

/**
 * A protocol that no guest has is told before a type that is not the protocol's. That of RDP, which Nova
 * has no more, is named in place of the type.
 * @throws ConsoleTypeUnavailableError, ConsoleTypeInvalidError
 */
export function typeOf({ protocol, type }: CreateConsoleDto): ConsoleType {
  const offered = OFFERED[protocol];
  if (offered === undefined)
    throw new ConsoleTypeUnavailableError(protocol === 'rdp' ? protocol : type);
  if (type !== offered) throw new ConsoleTypeInvalidError(type);
  return offered;
}
