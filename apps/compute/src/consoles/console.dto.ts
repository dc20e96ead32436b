/** Consoles on the wire. Public source: Nova API reference, "Server consoles". */
import { EnumField } from '@cumulet/common/http/fields';
import { shownUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { bodyUnder } from '../http/fields.js';

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

export class CreateConsoleBody extends bodyUnder('remote_console', CreateConsoleDto) {}

export const RemoteConsole = answerClass('RemoteConsole', {
  protocol: Shown(String, 'The protocol of the console.', { enum: [...PROTOCOLS] }),
  type: Shown(String, 'Its type.', { enum: [...TYPES] }),
  url: Shown(String, 'Where it is opened, once and within the time of the settings.'),
});

/** For the actions that created consoles until 2.5. */
export const OfferedConsole = answerClass('OfferedConsole', {
  type: Shown(String, 'Its type.', { enum: [...TYPES] }),
  url: Shown(String, 'Where it is opened, once and within the time of the settings.'),
});

export const RemoteConsoleAnswer = shownUnder('remote_console', RemoteConsole);

export const ConsoleConnection = answerClass('ConsoleConnection', {
  instance_uuid: Shown(String, 'The server.'),
  host: Shown(String, 'The host that serves the console.'),
  port: Shown('integer', 'Its port.'),
  internal_access_path: Shown(String, 'Below its address, where a WebSocket opens the console.'),
  tls_port: Shown('integer', 'Its port for TLS; none of the consoles here has one. Since 2.99.', {
    optional: true,
    nullable: true,
  }),
});

export const ConsoleConnectionAnswer = shownUnder('console', ConsoleConnection);
