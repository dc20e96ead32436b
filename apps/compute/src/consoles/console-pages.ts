/** A console's page, and the script that connects it. */

export type PageName = 'vnc' | 'serial';

const TITLES: Readonly<Record<PageName, string>> = {
  vnc: 'Console (noVNC)',
  serial: 'Serial console',
};

const STYLES: Readonly<Record<PageName, string>> = {
  vnc: '',
  serial: '<link rel="stylesheet" href="assets/xterm/css/xterm.css">',
};

export function pageOf(name: PageName): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${TITLES[name]}</title>
${STYLES[name]}
<style>
html, body { margin: 0; height: 100%; background: #222; color: #ddd; font-family: sans-serif; }
body { display: flex; flex-direction: column; }
#status { padding: 0.4em 0.8em; font-size: 0.85em; }
#screen { flex: 1; min-height: 0; }
</style>
</head>
<body>
<div id="status" role="status">Connecting …</div>
<div id="screen"></div>
<script type="module" src="${name}.js"></script>
</body>
</html>
`;
}

export function scriptOf(name: PageName): string {
  return SCRIPTS[name];
}

/** The page's address holds the token, which is used up by now. */
const FORGET_TOKEN = "history.replaceState(null, '', location.pathname);";

const SCRIPTS: Readonly<Record<PageName, string>> = {
  vnc: `import RFB from './assets/novnc/core/rfb.js';

const status = document.getElementById('status');
const path = new URLSearchParams(location.search).get('path') ?? '';
const url = new URL(path, location.href);
url.protocol = url.protocol.replace('http', 'ws');
if (url.host !== location.host) throw new Error('another host');
${FORGET_TOKEN}
const rfb = new RFB(document.getElementById('screen'), url.href, { shared: true });
rfb.scaleViewport = true;
rfb.addEventListener('connect', () => {
  status.textContent = 'Connected.';
  rfb.focus();
});
rfb.addEventListener('disconnect', () => {
  status.textContent = 'Disconnected. An address opens a console once: ask for another.';
});
window.rfb = rfb;
`,
  serial: `import { Terminal } from './assets/xterm/lib/xterm.mjs';

const status = document.getElementById('status');
const url = new URL(location.href);
url.protocol = url.protocol.replace('http', 'ws');
${FORGET_TOKEN}
const terminal = new Terminal({ cols: 80, rows: 25, convertEol: false });
terminal.open(document.getElementById('screen'));
const socket = new WebSocket(url);
socket.binaryType = 'arraybuffer';
socket.onopen = () => {
  status.textContent = 'Connected. What was written before is not shown: press Enter.';
  terminal.focus();
};
socket.onmessage = ({ data }) =>
  terminal.write(typeof data === 'string' ? data : new Uint8Array(data));
socket.onclose = () => {
  status.textContent = 'Disconnected. An address opens a console once: ask for another.';
};
terminal.onData((text) => socket.send(new TextEncoder().encode(text)));
window.terminal = terminal;
`,
};
