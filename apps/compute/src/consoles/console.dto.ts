/** Consoles on the wire. Public source: Nova API reference, "Server consoles". */
import { EnumField, ObjectField } from '@cumulet/common/http/fields';
import { Shown } from '@cumulet/common/http/shown';

export const PROTOCOLS = ['vnc', 'spice', 'serial', 'rdp', 'mks'] as const;
export const TYPES = [
  'novnc',
  'xvpvnc',
  'spice-html5',
  'serial',
  'rdp-html5',
  'webmks',
  'spice-direct',
] as const;

export class CreateConsoleDto {
  @EnumField(PROTOCOLS)
  protocol: (typeof PROTOCOLS)[number];

  @EnumField(TYPES)
  type: (typeof TYPES)[number];
}

export class CreateConsoleBody {
  @ObjectField(() => CreateConsoleDto)
  remote_console: CreateConsoleDto;
}

export class RemoteConsole {
  @Shown(String, 'What it speaks.', { enum: [...PROTOCOLS] })
  protocol: string;

  @Shown(String, 'Its type.', { enum: [...TYPES] })
  type: string;

  @Shown(String, 'Where it is opened, once and within the time of the settings.')
  url: string;
}

/** Of the actions that created consoles until 2.5. */
export class OfferedConsole {
  @Shown(String, 'Its type.', { enum: [...TYPES] })
  type: string;

  @Shown(String, 'Where it is opened, once and within the time of the settings.')
  url: string;
}

export class RemoteConsoleAnswer {
  @Shown(() => RemoteConsole, 'The console.')
  remote_console: RemoteConsole;
}

export class ConsoleConnection {
  @Shown(String, 'The server.')
  instance_uuid: string;

  @Shown(String, 'The host that serves the console.')
  host: string;

  @Shown('integer', 'Its port.')
  port: number;

  @Shown(String, 'Below its address, where a WebSocket opens the console.')
  internal_access_path: string;

  @Shown('integer', 'Its port for TLS; none of the consoles here has one. Since 2.99.', {
    optional: true,
    nullable: true,
  })
  tls_port?: number | null;
}

export class ConsoleConnectionAnswer {
  @Shown(() => ConsoleConnection, 'The connection.')
  console: ConsoleConnection;
}
