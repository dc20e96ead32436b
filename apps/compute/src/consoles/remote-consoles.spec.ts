import { expect, it } from '@jest/globals';
import { consoleUrl } from './remote-consoles.js';

it("noVNC is a page whose address has the WebSocket's path below the service's", () => {
  const url = new URL(consoleUrl('http://cloud:8000/compute', 'novnc', 'T-1_x'));
  expect(url.origin + url.pathname).toBe('http://cloud:8000/compute/consoles/vnc.html');
  expect(url.searchParams.get('path')).toBe('/compute/consoles/novnc?token=T-1_x');
});

it('a serial console is a WebSocket, encrypted as the service is', () => {
  expect(consoleUrl('https://cloud/compute', 'serial', 'T')).toBe(
    'wss://cloud/compute/consoles/serial?token=T',
  );
  expect(consoleUrl('http://127.0.0.1:8774', 'serial', 'T')).toBe(
    'ws://127.0.0.1:8774/consoles/serial?token=T',
  );
});
