/**
 * What runs in a guest of the tests: `serve PORT` answers each TCP connection with a mebibyte,
 * `fetch ADDRESS PORT` says whether that is what comes from there, `ask URL REQUEST` what HTTP
 * answers, `dhcp MAC` what DHCP offers, `say UDP|TCP PORT TEXT`
 * answers everyone with the text, `hear UDP|TCP ADDRESS PORT` says what is answered there, or
 * `refused`, or nothing where nothing comes.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { request } from 'node:http';
import { connect, createServer } from 'node:net';
import { setInterval, setTimeout } from 'node:timers';

const BYTES = 1024 * 1024;
/** A busy machine is silent for a while, too. */
const WAIT_MS = 3_000;

const PROGRAMS = { serve, fetch, ask, dhcp, say, hear };
const [name, ...args] = process.argv.slice(2);
PROGRAMS[name](...args);

function serve(port) {
  const data = randomBytes(BYTES);
  const sum = createHash('sha256').update(data).digest();
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(Buffer.concat([sum, data]));
  });
  server.listen(Number(port), '::', () => console.log('listening'));
}

function fetch(address, port) {
  const parts = [];
  const socket = connect({ host: address, port: Number(port) });
  // Of silence, on the way there and back.
  socket.setTimeout(WAIT_MS, () => socket.destroy(new Error('silence')));
  socket.on('data', (part) => parts.push(part));
  socket.on('error', (error) => {
    console.log(error.message);
    process.exit(0);
  });
  socket.on('end', () => {
    const all = Buffer.concat(parts);
    const sum = createHash('sha256').update(all.subarray(32)).digest();
    console.log(sum.equals(all.subarray(0, 32)) ? 'whole' : 'damaged');
    process.exit(0);
  });
}

function say(protocol, port, text) {
  if (protocol === 'TCP') {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(text);
    });
    server.listen(Number(port), '::', () => console.log('listening'));
    return;
  }
  const socket = createSocket('udp6');
  socket.on('message', (_, { port: from, address }) => socket.send(text, from, address));
  socket.bind(Number(port), () => console.log('listening'));
}

function hear(protocol, address, port) {
  const tell = (text) => {
    console.log(text);
    process.exit(0);
  };
  setTimeout(() => tell(''), WAIT_MS);
  if (protocol === 'TCP') {
    const socket = connect({ host: address, port: Number(port) });
    socket.on('data', (data) => tell(data.toString()));
    socket.on('error', ({ code }) => tell(code === 'ECONNREFUSED' ? 'refused' : ''));
    return;
  }
  const socket = createSocket('udp4');
  socket.on('message', (data) => tell(data.toString()));
  socket.on('error', () => tell(''));
  socket.send('?', Number(port), address);
}

/** A link's own address has the link in it (`%25eth0`), which URLs do not. */
function ask(url, text) {
  const { body = '', ...options } = JSON.parse(text);
  const [, host, port = '80', path] = /^http:\/\/(\[.*\]|[^:/]+)(?::(\d+))?(\/.*)$/.exec(url);
  const name = host.replace(/^\[|\]$/g, '').replace('%25', '%');
  const asked = request({ ...options, host: name, port, path, timeout: WAIT_MS }, (response) => {
    const parts = [];
    response.on('data', (part) => parts.push(part));
    response.on('end', () => {
      const { statusCode: status, headers } = response;
      console.log(JSON.stringify({ status, headers, body: Buffer.concat(parts).toString() }));
      process.exit(0);
    });
  });
  asked.on('timeout', () => asked.destroy());
  asked.on('error', (error) => {
    console.log(JSON.stringify({ error: error.message }));
    process.exit(0);
  });
  asked.end(body);
}

/** One DHCPDISCOVER, asking for a broadcast answer. Public source: RFC 2131, RFC 2132. */
function dhcp(mac) {
  const packet = Buffer.alloc(244);
  packet.set([1, 1, 6, 0]);
  packet.writeUInt32BE(0x43554d55, 4);
  packet.writeUInt16BE(0x8000, 10);
  packet.set(Buffer.from(mac.replaceAll(':', ''), 'hex'), 28);
  packet.set([99, 130, 83, 99], 236);
  const options = Buffer.from([53, 1, 1, 55, 6, 1, 3, 6, 15, 26, 121, 255]);
  const socket = createSocket('udp4');
  socket.on('message', (answer) => {
    console.log(JSON.stringify(offerIn(answer)));
    process.exit(0);
  });
  socket.bind(68, '0.0.0.0', () => {
    socket.setBroadcast(true);
    const send = () =>
      socket.send(Buffer.concat([packet.subarray(0, 240), options]), 67, '255.255.255.255');
    send();
    setInterval(send, WAIT_MS / 5);
  });
  setTimeout(() => {
    console.log('{}');
    process.exit(0);
  }, WAIT_MS);
}

function offerIn(answer) {
  const dotted = (bytes) => [...bytes].join('.');
  const offer = { address: dotted(answer.subarray(16, 20)) };
  for (let at = 240; answer[at] !== 255 && at < answer.length; at += 2 + answer[at + 1]) {
    const value = answer.subarray(at + 2, at + 2 + answer[at + 1]);
    if (answer[at] === 1) offer.netmask = dotted(value);
    if (answer[at] === 3) offer.router = dotted(value);
    if (answer[at] === 6) offer.nameServers = dotted(value);
    if (answer[at] === 15) offer.domain = value.toString();
    if (answer[at] === 26) offer.mtu = value.readUInt16BE();
    if (answer[at] === 121) offer.routes = dotted(value);
  }
  return offer;
}
