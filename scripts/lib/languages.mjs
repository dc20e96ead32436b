/**
 * What is written in a foreign language, and where (docs/adr/0067-code-in-other-languages-leaves-by-one-door.md).
 *
 * `modules` are files, or folders that end in `/`, from the root of the repository; `brands` are the languages
 * that these may brand; `template`, where the syntax of the language can be told, is what a text with values in
 * it looks like there, `${}` standing for each value.
 * @typedef {{ modules: readonly string[], brands: readonly string[], template?: RegExp }} Language
 */

/**
 * The modules that write each foreign language, and alone brand text as its code
 * (packages/common/src/languages/code.ts).
 * @type {Language[]}
 */
export const LANGUAGES = [
  { brands: ['access-log'], modules: ['apps/s3/src/access-logs/log-line.ts'] },
  {
    brands: ['mime'],
    modules: ['apps/orchestration/src/resource-types/heat/mime.ts'],
    template: /^Content-(Type|Disposition|Transfer-Encoding): |^--\$\{\}--$/,
  },
  {
    brands: ['cloud-config'],
    modules: ['apps/clusters/src/languages/cloud-config.ts'],
  },
  { brands: ['yaml'], modules: ['packages/common/src/languages/yaml.ts'] },
  { brands: ['shell', 'shell-word'], modules: ['packages/common/src/languages/shell.ts'] },
  {
    brands: ['ip', 'ip-word'],
    modules: ['apps/network/src/data-plane/ovn/host/ip-commands.ts'],
    template: /^(-[46] )?(addr|link|neigh|route|rule) \w+ /,
  },
  { brands: ['like'], modules: ['packages/common/src/languages/postgres-like.ts'] },
  { brands: ['postgres-regex'], modules: ['packages/common/src/languages/postgres-regex.ts'] },
  {
    brands: ['qemu'],
    modules: ['apps/compute/src/hypervisor/qemu/command-line.ts'],
    template: /^[\w-]+(,[\w.-]+=|=\$\{\},)/,
  },
  {
    brands: ['haproxy-word', 'haproxy-line', 'haproxy-file'],
    modules: ['apps/loadbalancer/src/data-plane/haproxy/configuration/words.ts'],
  },
  {
    brands: ['haproxy-command'],
    modules: ['apps/loadbalancer/src/data-plane/haproxy/runtime/commands.ts'],
    template: /^(@!?\$\{\} |set server )/,
  },
  {
    brands: ['ovn-dhcp'],
    modules: ['apps/network/src/languages/ovn-dhcp.ts'],
  },
  {
    brands: ['ovn-match'],
    modules: ['apps/network/src/languages/ovn-match.ts'],
    template: /(\b(in|out)port|\b(ip[46]?|arp|nd|eth|tcp|udp|sctp|icmp[46]?|\$\{\})\.\w+) *[=!<>]=/,
  },
  {
    brands: ['ovsdb', 'ovsdb-word', 'ovn-address', 'ovn-hosts', 'ovs-setting'],
    modules: ['apps/network/src/languages/ovsdb-text.ts'],
  },
  {
    brands: ['xml', 'html'],
    modules: [
      'apps/s3/src/http/xml.ts',
      'apps/s3/src/website/error-page.ts',
      'apps/compute/src/consoles/console-pages.ts',
    ],
    template: /<\/?(\w+|\$\{\})[^>]*>.*<\/|<\?xml/,
  },
];

/** Whether a language may be written in the file at this path. */
export function mayWrite({ modules }, path) {
  return modules.some((module) =>
    module.endsWith('/') ? path.startsWith(module) : path === module,
  );
}
