/** Templates, XML and forms that cost their readers as much as they can. Pure. */
import { listed, MAX_BYTES, type Pair, type Sent, type World } from './hostile-request.js';

export function templatePairs({ url, token }: World): Pair[] {
  const validate = (template: string): Sent => ({
    method: 'POST',
    url: `${url}/orchestration/validate`,
    headers: ['Content-Type', 'application/json', 'X-Auth-Token', token],
    body: JSON.stringify({ template }),
  });
  const head = 'heat_template_version: 2021-04-16\n';
  const bytes = 500_000;
  const lines = (line: (at: number) => string): string => {
    let text = '';
    for (let at = 0; text.length < bytes; at += 1) text += line(at);
    return text;
  };
  const harmless = validate(
    `${head}description: |\n${lines(() => `  ${'some text '.repeat(7)}\n`)}`,
  );
  const pair = (name: string, rest: string): Pair => ({
    name: `template: ${name}`,
    hostile: validate(head + rest),
    harmless,
  });
  return [
    pair('aliases', `a: &a [x]\nb:\n${lines(() => '- *a\n')}`),
    pair('anchors', `a:\n${lines((at) => `- &a${at} x\n`)}`),
    pair('flow lists', `a: ${'['.repeat(bytes)}`),
    pair('keys', `a:\n${lines((at) => `  k${at}: v\n`)}`),
    pair(
      'comments',
      lines(() => '# c\n'),
    ),
    pair(
      'resources',
      `resources:\n${lines((at) => `  r${at}: {type: OS::Heat::Value, properties: {value: 1}}\n`)}`,
    ),
    pair(
      'references',
      `resources:\n${lines((at) => `  r${at}: {type: OS::Heat::Value, properties: {value: {get_resource: r${at + 1}}}}\n`)}`,
    ),
  ];
}

export function xmlPairs({ s3 }: World): Pair[] {
  const send = (method: string, path: string, body: string): Sent => ({
    method,
    url: s3(method, path),
    headers: ['Content-Type', 'application/xml'],
    body,
  });
  const repeated = (text: string, bytes = MAX_BYTES): string =>
    text.repeat(Math.floor(bytes / text.length));
  const documents: readonly [string, string, string, string][] = [
    ['delete', 'POST', '?delete', 'Delete'],
    ['lifecycle', 'PUT', '?lifecycle', 'LifecycleConfiguration'],
    ['tags', 'PUT', '?tagging', 'Tagging'],
    ['cors', 'PUT', '?cors', 'CORSConfiguration'],
  ];
  const contents: readonly [string, string][] = [
    ['elements', repeated('<a/>')],
    ['elements of a known name', repeated('<Object><Key>k</Key></Object>')],
    ['distinct elements', listed((at) => `<a${at}/>`).replaceAll(',', '')],
    ['depth', repeated('<a>')],
    ['closed depth', repeated('<a>', MAX_BYTES / 2) + repeated('</a>', MAX_BYTES / 2)],
    ['attributes', `<a ${listed((at) => `b${at}="c"`).replaceAll(',', ' ')}/>`],
    ['references', `<a>${repeated('&lt;')}</a>`],
    ['numeric references', `<a>${repeated('&#65;')}</a>`],
    ['comments', repeated('<!---->')],
    ['CDATA', `<a>${repeated('<![CDATA[]]>')}</a>`],
    ['instructions', repeated('<?a?>')],
    ['open angles', repeated('<')],
    ['an unclosed comment', `<!--${repeated('-')}`],
    ['white space', repeated(' ')],
  ];
  return documents.flatMap(([name, method, query, root]) => {
    const wrapped = (content: string): string => `<${root}>${content}</${root}>`;
    // What S3 itself is sent: a thousand keys, as long as keys may be.
    const item = `<Object><Key>${'k'.repeat(960)}</Key></Object>`;
    return contents.map(([kind, content]) => ({
      name: `xml: ${name} of ${kind}`,
      hostile: send(method, query, wrapped(content)),
      harmless: send(method, query, wrapped(item.repeat(Math.floor(content.length / item.length)))),
    }));
  });
}

export function formPairs({ s3, form }: World): Pair[] {
  const boundary = 'xxbenchxx';
  const part = (name: string, content: string, more = ''): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
  const send = (body: string): Sent => ({
    method: 'POST',
    url: new URL('?', s3('POST', '')).href.replace(/\?.*$/, ''),
    headers: ['Content-Type', `multipart/form-data; boundary=${boundary}`],
    body: `${body}--${boundary}--\r\n`,
  });
  const lines = (line: (at: number) => string): string => {
    let text = '';
    for (let at = 0; text.length < MAX_BYTES; at += 1) text += line(at);
    return text;
  };
  // One that is read to its end, as harmless ones are: its file is stored.
  const fields = form.map(([name, value]) => part(name, value)).join('');
  const harmless = send(fields + part('file', 'x'.repeat(MAX_BYTES), '; filename="f"'));
  const pair = (name: string, body: string): Pair => ({
    name: `form: ${name}`,
    hostile: send(body),
    harmless,
  });
  return [
    pair(
      'thousands of fields',
      lines((at) => part(`f${at}`, 'v')),
    ),
    pair('a field of 1 MB', part('f', 'v'.repeat(MAX_BYTES))),
    pair('a long name', part('n'.repeat(MAX_BYTES), 'v')),
    pair(
      'boundaries',
      lines(() => `--${boundary}\r\n`),
    ),
    pair(
      'half boundaries',
      lines(() => `\r\n--${boundary.slice(0, -1)}`),
    ),
    pair(
      'a preamble',
      lines(() => '-\r\n'),
    ),
    pair('headers of a part', `--${boundary}\r\n${lines((at) => `H${at}: v\r\n`)}\r\nv\r\n`),
  ];
}
